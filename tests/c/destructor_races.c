/* A destructor writes a variable that the thread function never accesses. */
#include <pthread.h>

static pthread_key_t key;
static int value;

static void last(void *arg) { value = *(int *)arg; }

static void *work(void *arg) {
    pthread_setspecific(key, arg);
    return 0;
}

int main(void) {
    pthread_t thread;
    int one = 1;
    pthread_key_create(&key, last);
    pthread_create(&thread, 0, work, &one);
    value = 2;
    pthread_join(thread, 0);
    return 0;
}
