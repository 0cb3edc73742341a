/* A thread that reads until end of file waits forever if no thread closes the other end. */
#include <pthread.h>
#include <unistd.h>

static int fds[2];

static void *drain(void *unused) {
    char byte;
    while (read(fds[0], &byte, 1) == 1) {
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    if (pipe(fds) != 0)
        return 1;
    pthread_create(&thread, NULL, drain, NULL);
    write(fds[1], "ab", 2);
    pthread_join(thread, NULL);
    close(fds[1]);
    return 0;
}
