/* Memory allocated within one sequence of invisible steps. */
#include <stdlib.h>
int main(void) {
    void *last = 0;
    for (unsigned long i = 0;; i++) { void **p = malloc(64); *p = last; last = p; }
}
