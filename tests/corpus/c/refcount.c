// Shared immutable strings with an atomic reference count.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  atomic_int refs;
  size_t len;
  char data[];
} rcstr;

static atomic_int live;

static rcstr *rcstr_new(const char *s) {
  size_t n = strlen(s);
  rcstr *r = malloc(sizeof(rcstr) + n + 1);
  if (!r) abort();
  atomic_init(&r->refs, 1);
  r->len = n;
  memcpy(r->data, s, n + 1);
  atomic_fetch_add(&live, 1);
  return r;
}

static rcstr *rcstr_ref(rcstr *r) {
  atomic_fetch_add_explicit(&r->refs, 1, memory_order_relaxed);
  return r;
}

static void rcstr_unref(rcstr *r) {
  if (atomic_fetch_sub_explicit(&r->refs, 1, memory_order_acq_rel) == 1) {
    free(r);
    atomic_fetch_sub(&live, 1);
  }
}

static void *reader(void *p) {
  rcstr *s = p;
  assert(s->len == 5);
  assert(s->data[s->len] == '\0');
  rcstr *copy = rcstr_ref(s);
  rcstr_unref(s);
  assert(copy->data[0] == 'h');
  rcstr_unref(copy);
  return NULL;
}

int main(void) {
  enum { N = 2 };
  pthread_t t[N];
  rcstr *s = rcstr_new("hello");

  for (int i = 0; i < N; i++)
    pthread_create(&t[i], NULL, reader, rcstr_ref(s));
  rcstr_unref(s);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], NULL);
  assert(atomic_load(&live) == 0);
  return 0;
}
