/* Mapped memory is unmapped before another thread uses it. */
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

static int *page;

static void *use(void *unused) {
    page[3] = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED || page[1023] != 0)
        abort();
    pthread_create(&thread, NULL, use, NULL);
    pthread_join(thread, NULL);
    munmap(page, 4096);
    pthread_create(&thread, NULL, use, NULL);
    pthread_join(thread, NULL);
    return 0;
}
