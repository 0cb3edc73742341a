// A bounded lock-free queue for multiple producers and consumers (Vyukov): each cell has a sequence number.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#define SIZE 2
struct cell { atomic_uint sequence; int data; };
static struct cell cell[SIZE];
static atomic_uint head, tail;
static int push(int value) {
    unsigned at = atomic_load(&tail);
    for (;;) {
        struct cell *c = &cell[at % SIZE];
        int apart = (int)(atomic_load(&c->sequence) - at);
        if (apart == 0) {
            if (atomic_compare_exchange_strong(&tail, &at, at + 1)) {
                c->data = value;
                atomic_store(&c->sequence, at + 1);
                return 1;
            }
        } else if (apart < 0) {
            return 0;
        } else {
            at = atomic_load(&tail);
        }
    }
}
static int pop(int *value) {
    unsigned at = atomic_load(&head);
    for (;;) {
        struct cell *c = &cell[at % SIZE];
        int apart = (int)(atomic_load(&c->sequence) - (at + 1));
        if (apart == 0) {
            if (atomic_compare_exchange_strong(&head, &at, at + 1)) {
                *value = c->data;
                atomic_store(&c->sequence, at + SIZE);
                return 1;
            }
        } else if (apart < 0) {
            return 0;
        } else {
            at = atomic_load(&head);
        }
    }
}
static void *producer(void *arg) {
    int done = push((int)(long)arg);
    assert(done);
    return 0;
}
int main(void) {
    pthread_t a, b;
    for (unsigned i = 0; i < SIZE; i++)
        atomic_init(&cell[i].sequence, i);
    pthread_create(&a, 0, producer, (void *)1L);
    pthread_create(&b, 0, producer, (void *)2L);
    int sum = 0, value, early = pop(&value);
    if (early)
        sum += value;
    pthread_join(a, 0);
    pthread_join(b, 0);
    while (pop(&value))
        sum += value;
    assert(sum == 3);
    return 0;
}
