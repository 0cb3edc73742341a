// A log without a bounds check: two writers together write beyond its end.
#include <pthread.h>
#define ROOM 3
static char text[ROOM];
static int used;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void log_char(char c) {
    pthread_mutex_lock(&lock);
    if (used <= ROOM)
        text[used++] = c;
    pthread_mutex_unlock(&lock);
}
static void *writer(void *arg) {
    log_char('a');
    log_char('b');
    return arg;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, writer, 0);
    pthread_create(&b, 0, writer, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
