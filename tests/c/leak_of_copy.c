/* The copy that `strdup` makes is lost: the warning is at the call. */
#include <string.h>
int main(void) {
    char *copy = strdup("lost");
    copy = 0;
    return copy != 0;
}
