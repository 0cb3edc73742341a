/* Unsequenced side effects through pointers to different objects are defined. */
#include <assert.h>
#include <pthread.h>
struct queue { int head, tail; int slots[4]; };
static struct queue a, b;
static void *move(void *arg)
{
    struct queue *to = arg, *from = &b;
    for (int i = 0; i < 2; i++) {
        to->slots[to->tail++] = from->slots[from->head++];
        to->head = to->tail = from->tail++ + (from->head - from->head);
    }
    return 0;
}
static void copy(char *d, const char *s) { while ((*d++ = *s++)) ; }
int main(void)
{
    pthread_t t;
    char text[4];
    copy(text, "abc");
    pthread_create(&t, 0, move, &a);
    pthread_join(t, 0);
    assert(text[2] == 'c' && b.head == 2 && a.tail == 1);
    return 0;
}
