/* Lock-free LIFO over an array of nodes; head = (tag << 16) | index. */
#include <stdatomic.h>
#include <stdint.h>
#include <pthread.h>
#include <stdio.h>
#include <assert.h>

#define CAPACITY   4
#define NIL        0xffffu
#define IDX(h)     ((h) & 0xffffu)
#define TAG(h)     ((h) >> 16)
#define MK(t, i)   (((uint32_t)(t) << 16) | (uint32_t)(i))

struct node {
  int value;
  _Atomic uint32_t next;
};

static struct node pool[CAPACITY];
static _Atomic uint32_t head = NIL;

static void push(uint32_t i)
{
  uint32_t old = atomic_load(&head), new;
  do {
    atomic_store(&pool[i].next, IDX(old));
    new = MK(TAG(old) + 1, i);
  } while (!atomic_compare_exchange_strong(&head, &old, new));
}

static uint32_t pop(void)
{
  uint32_t old = atomic_load(&head), new;
  do {
    if (IDX(old) == NIL)
      return NIL;
    new = MK(TAG(old) + 1, atomic_load(&pool[IDX(old)].next));
  } while (!atomic_compare_exchange_strong(&head, &old, new));
  return IDX(old);
}

static void *user(void *arg)
{
  (void)arg;
  uint32_t a = pop();
  if (a != NIL) {
    assert(pool[a].value == 0);
    pool[a].value = 1;          /* exclusive: no other thread popped it */
    pool[a].value = 0;
    push(a);
  }
  return NULL;
}

int main(void)
{
  pthread_t t[2];
  for (uint32_t i = 0; i < CAPACITY; i++)
    push(i);
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, user, NULL);
  user(NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);

  int n = 0;
  while (pop() != NIL)
    n++;
  printf("%d nodes\n", n);
  assert(n == CAPACITY);
  return 0;
}
