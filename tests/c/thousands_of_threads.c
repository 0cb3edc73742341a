/* More threads than may run at a time, each of which ends at once: all are joined later. */
#include <pthread.h>

#define COUNT 1500

static pthread_t threads[COUNT];

static void *nothing(void *argument) {
  return argument;
}

int main(void) {
  for (int i = 0; i < COUNT; i++) {
    pthread_create(&threads[i], NULL, nothing, NULL);
  }
  for (int i = 0; i < COUNT; i++) {
    pthread_join(threads[i], NULL);
  }
  return 0;
}
