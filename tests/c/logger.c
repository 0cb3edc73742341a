// An asynchronous log: writers fill a buffer, the log thread swaps it for an empty one and empties the full one.
#include <assert.h>
#include <pthread.h>
#include <string.h>
#define ROOM 4
struct buffer { char text[ROOM]; int used; };
static struct buffer both[2];
static int active, closed, written;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t something = PTHREAD_COND_INITIALIZER, room = PTHREAD_COND_INITIALIZER;
static void log_char(char c) {
    pthread_mutex_lock(&lock);
    while (both[active].used == ROOM)
        pthread_cond_wait(&room, &lock);
    struct buffer *b = &both[active];
    b->text[b->used++] = c;
    pthread_cond_signal(&something);
    pthread_mutex_unlock(&lock);
}
static void *log_thread(void *arg) {
    for (;;) {
        pthread_mutex_lock(&lock);
        while (both[active].used == 0 && !closed)
            pthread_cond_wait(&something, &lock);
        if (both[active].used == 0 && closed) {
            pthread_mutex_unlock(&lock);
            return arg;
        }
        struct buffer *full = &both[active];
        active = 1 - active;
        pthread_cond_broadcast(&room);
        pthread_mutex_unlock(&lock);
        for (int i = 0; i < full->used; i++)
            assert(full->text[i] == 'x');
        written += full->used;
        memset(full->text, 0, sizeof full->text);
        full->used = 0;
    }
}
static void *writer(void *arg) {
    log_char('x');
    log_char('x');
    return arg;
}
int main(void) {
    pthread_t l, w;
    pthread_create(&l, 0, log_thread, 0);
    pthread_create(&w, 0, writer, 0);
    pthread_join(w, 0);
    pthread_mutex_lock(&lock);
    closed = 1;
    pthread_cond_signal(&something);
    pthread_mutex_unlock(&lock);
    pthread_join(l, 0);
    assert(written == 2);
    return 0;
}
