/* `malloc` and `memcpy` without a declaration: as in GCC, they return a 64-bit pointer. */
#include <pthread.h>

struct box {
  int *value;
};

static struct box *shared;

static void *use(void *unused) {
  (*shared->value)++;
  return unused;
}

int main(void) {
  pthread_t thread;
  int one = 1;
  shared = malloc(sizeof *shared);
  shared->value = malloc(sizeof one);
  memcpy(shared->value, &one, sizeof one);
  pthread_create(&thread, 0, use, 0);
  pthread_join(thread, 0);
  return *shared->value == 2 ? 0 : *(int *)0;
}
