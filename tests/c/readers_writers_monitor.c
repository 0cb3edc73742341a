// A reader-writer lock made of a mutex and two condition variables; writers have priority.
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t may_read = PTHREAD_COND_INITIALIZER, may_write = PTHREAD_COND_INITIALIZER;
static int readers, writers, waiting;
static int data;
static void begin_read(void) {
    pthread_mutex_lock(&m);
    while (writers || waiting)
        pthread_cond_wait(&may_read, &m);
    readers++;
    pthread_mutex_unlock(&m);
}
static void end_read(void) {
    pthread_mutex_lock(&m);
    if (--readers == 0)
        pthread_cond_signal(&may_write);
    pthread_mutex_unlock(&m);
}
static void begin_write(void) {
    pthread_mutex_lock(&m);
    waiting++;
    while (readers || writers)
        pthread_cond_wait(&may_write, &m);
    waiting--;
    writers = 1;
    pthread_mutex_unlock(&m);
}
static void end_write(void) {
    pthread_mutex_lock(&m);
    writers = 0;
    if (waiting)
        pthread_cond_signal(&may_write);
    else
        pthread_cond_broadcast(&may_read);
    pthread_mutex_unlock(&m);
}
static void *reader(void *arg) {
    begin_read();
    int seen = data;
    assert(seen == 0 || seen == 1);
    end_read();
    return arg;
}
static void *writer(void *arg) {
    begin_write();
    data = 1;
    end_write();
    return arg;
}
int main(void) {
    pthread_t r1, r2, w;
    pthread_create(&r1, 0, reader, 0);
    pthread_create(&w, 0, writer, 0);
    pthread_create(&r2, 0, reader, 0);
    pthread_join(r1, 0);
    pthread_join(w, 0);
    pthread_join(r2, 0);
    assert(data == 1);
    return 0;
}
