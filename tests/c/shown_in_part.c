/* Arguments of a different width than the conversion specification: a part is printed, with a warning. */
#include <pthread.h>
#include <stdio.h>
static void *work(void *arg)
{
    printf("%d %d %lx %p\n", arg, pthread_self(), arg, 3);
    return 0;
}
int main(void)
{
    pthread_t t;
    char line[40];
    size_t n = 5;
    printf("%d %d %ld %c\n", n, sizeof n, 7, n);
    snprintf(line, sizeof line, "%d %*d", n, (int)n, 3L);
    pthread_create(&t, 0, work, (void *)2L);
    pthread_join(t, 0);
    return line[0] == '5';
}
