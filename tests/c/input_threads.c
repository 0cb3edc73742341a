/* The input is the number of threads: two of them race for the shared cell. */
#include <pthread.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static int *cells;

static void *fill(void *number) {
  cells[0] = (int)(long)number;
  return NULL;
}

int main(void) {
  int count = __VERIFIER_nondet_int();
  if (count < 0) {
    return 0;
  }
  pthread_t *threads = malloc(count * sizeof *threads);
  cells = calloc(count, sizeof *cells);
  for (long i = 0; i < count; i++) {
    pthread_create(&threads[i], NULL, fill, (void *)i);
  }
  for (int i = 0; i < count; i++) {
    pthread_join(threads[i], NULL);
  }
  free(cells);
  free(threads);
  return 0;
}
