/* Data in a pipe arrives in order, and a read synchronises with the write. */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int numbers[2], back[2], shared;

static void *add(void *unused) {
    int sum = 0, number;
    while (read(numbers[0], &number, sizeof number) == sizeof number)
        sum = sum * 10 + number;
    shared += sum;
    assert(write(back[1], "d", 1) == 1);
    return unused;
}

int main(void) {
    pthread_t thread;
    char done;
    assert(pipe(numbers) == 0 && pipe(back) == 0);
    pthread_create(&thread, NULL, add, NULL);
    shared = 1000;
    for (int i = 1; i <= 3; i++)
        assert(write(numbers[1], &i, sizeof i) == sizeof i);
    close(numbers[1]);
    assert(read(back[0], &done, 1) == 1 && done == 'd');
    assert(shared == 1123);
    pthread_join(thread, NULL);
    return 0;
}
