// The error paths of a function use labels that undo its actions in reverse order.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int open_files;
static int process(int fail) {
    int result = -1;
    char *buffer = malloc(8);
    if (!buffer)
        goto out;
    pthread_mutex_lock(&lock);
    open_files++;
    if (fail == 1)
        goto close;
    buffer[0] = 'x';
    if (fail == 2)
        goto close;
    result = buffer[0] == 'x' ? 0 : -2;
close:
    open_files--;
    pthread_mutex_unlock(&lock);
    free(buffer);
out:
    return result;
}
static void *worker(void *arg) {
    int fail = (int)(long)arg;
    assert((process(fail) == 0) == (fail == 0));
    return 0;
}
int main(void) {
    pthread_t t[3];
    for (long i = 0; i < 3; i++)
        pthread_create(&t[i], 0, worker, (void *)i);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    assert(open_files == 0);
    return 0;
}
