#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <stdio.h>

// page cache with a single slot per bucket

#define BUCKETS 2

typedef struct page { int number; char *data; } page;

static page *slots[BUCKETS];
static pthread_mutex_t locks[BUCKETS] = {
  PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER
};

static page *page_read(int number) {
  page *p = malloc(sizeof(page));
  p->number = number;
  p->data = malloc(8);
  snprintf(p->data, 8, "page%d", number);
  return p;
}

static void page_drop(page *p) {
  free(p->data);
  free(p);
}

static void cache_fill(int number) {
  int b = number % BUCKETS;
  page *fresh = page_read(number);
  pthread_mutex_lock(&locks[b]);
  page *old = slots[b];
  slots[b] = fresh;
  pthread_mutex_unlock(&locks[b]);
  if (old)
    page_drop(old);
}

static void cache_invalidate(int number) {
  int b = number % BUCKETS;
  pthread_mutex_lock(&locks[b]);
  page *p = slots[b];
  pthread_mutex_unlock(&locks[b]);
  if (p != NULL) {
    page_drop(p);
    pthread_mutex_lock(&locks[b]);
    slots[b] = NULL;
    pthread_mutex_unlock(&locks[b]);
  }
}

static void *invalidator(void *arg) {
  cache_invalidate(*(int *)arg);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int even = 2, odd = 3;
  cache_fill(even);
  cache_fill(odd);
  pthread_create(&a, NULL, invalidator, &even);
  pthread_create(&b, NULL, invalidator, &even);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  cache_invalidate(odd);
  return 0;
}
