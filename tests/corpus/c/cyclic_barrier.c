#include <pthread.h>
#include <assert.h>
#include <stdlib.h>

#define THREADS 3
#define PHASES  2

/* A reusable barrier: the generation number tells the phases apart. */
struct barrier {
  pthread_mutex_t mtx;
  pthread_cond_t  cv;
  unsigned        parties, count, generation;
};

static void barrier_init(struct barrier *b, unsigned n) {
  pthread_mutex_init(&b->mtx, NULL);
  pthread_cond_init(&b->cv, NULL);
  b->parties = b->count = n;
  b->generation = 0;
}

/* Returns 1 in exactly one of the threads. */
static int barrier_await(struct barrier *b) {
  int serial = 0;
  pthread_mutex_lock(&b->mtx);
  unsigned gen = b->generation;
  if (--b->count == 0) {
    b->generation++;
    b->count = b->parties;
    serial = 1;
    pthread_cond_broadcast(&b->cv);
  } else {
    do {
      pthread_cond_wait(&b->cv, &b->mtx);
    } while (gen == b->generation);
  }
  pthread_mutex_unlock(&b->mtx);
  return serial;
}

static struct barrier bar;
static int cells[2][THREADS];

/* Each phase: the new value is the sum of the neighbours' old values. */
static void *cell(void *arg) {
  const long me = (long)arg;
  for (int p = 0; p < PHASES; p++) {
    int *from = cells[p % 2], *to = cells[(p + 1) % 2];
    to[me] = from[(me + 1) % THREADS] + from[(me + THREADS - 1) % THREADS];
    barrier_await(&bar);
  }
  return NULL;
}

int main(void) {
  pthread_t t[THREADS];
  barrier_init(&bar, THREADS);
  for (long i = 0; i < THREADS; i++)
    cells[0][i] = i + 1;
  for (long i = 0; i < THREADS; i++)
    if (pthread_create(&t[i], NULL, cell, (void *)i))
      abort();
  for (int i = 0; i < THREADS; i++)
    pthread_join(t[i], NULL);
  /* 1 2 3 -> 5 4 3 -> 7 8 9 */
  assert(cells[0][0] == 7 && cells[0][1] == 8 && cells[0][2] == 9);
  return 0;
}
