// Bounded buffer with POSIX semaphores (OS course, lab 5)
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <assert.h>

#define BUFSIZE 2
#define ITEMS   3
#define NPROD   2

int buffer[BUFSIZE];
int in = 0, out = 0;
sem_t empty_slots, full_slots;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int consumed_sum = 0;

void put(int item) {
  sem_wait(&empty_slots);
  pthread_mutex_lock(&mutex);
  buffer[in] = item;
  in = (in + 1) % BUFSIZE;
  pthread_mutex_unlock(&mutex);
  sem_post(&full_slots);
}

int get(void) {
  int item;
  sem_wait(&full_slots);
  pthread_mutex_lock(&mutex);
  item = buffer[out];
  out = (out + 1) % BUFSIZE;
  pthread_mutex_unlock(&mutex);
  sem_post(&empty_slots);
  return item;
}

void *producer(void *arg) {
  int id = *(int *)arg;
  for (int i = 0; i < ITEMS; i++) {
    put(id * 10 + i);
    printf("producer %d: put %d\n", id, id * 10 + i);
  }
  return NULL;
}

void *consumer(void *arg) {
  (void)arg;
  for (int i = 0; i < NPROD * ITEMS; i++) {
    int x = get();
    printf("consumer: got %d\n", x);
    consumed_sum += x;
  }
  return NULL;
}

int main(void) {
  pthread_t prod[NPROD], cons;
  int ids[NPROD];

  sem_init(&empty_slots, 0, BUFSIZE);
  sem_init(&full_slots, 0, 0);

  for (int i = 0; i < NPROD; i++) {
    ids[i] = i + 1;
    if (pthread_create(&prod[i], NULL, producer, &ids[i])) {
      perror("pthread_create");
      exit(1);
    }
  }
  if (pthread_create(&cons, NULL, consumer, NULL)) {
    perror("pthread_create");
    exit(1);
  }

  for (int i = 0; i < NPROD; i++)
    pthread_join(prod[i], NULL);
  pthread_join(cons, NULL);

  /* 10+11+12 + 20+21+22 */
  assert(consumed_sum == 96);

  sem_destroy(&empty_slots);
  sem_destroy(&full_slots);
  return 0;
}
