/* The lock of a stream also protects other data, and is recursive. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static int lines;

static void *tell(void *name) {
    flockfile(stdout);
    fputs(name, stdout);
    flockfile(stdout);
    lines++;
    funlockfile(stdout);
    putchar('\n');
    funlockfile(stdout);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, tell, "one");
    pthread_create(&threads[1], NULL, tell, "two");
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    assert(lines == 2);
    return 0;
}
