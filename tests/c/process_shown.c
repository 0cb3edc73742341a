/* Process and user ids that are only printed do not influence the behaviour. */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static void *work(void *unused) {
    printf("%d %d %d\n", (int)getpid(), (int)getppid(), (int)getuid());
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    return 0;
}
