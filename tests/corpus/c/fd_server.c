/* Accept loop which hands "sockets" (pipes here) to a worker. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int pipefd[2];

static void *writer(void *arg)
{
    const char *msg = arg;
    size_t left = strlen(msg) + 1;

    while (left > 0) {
        ssize_t n = write(pipefd[1], msg, left);
        if (n < 0) {
            if (errno == EINTR)
                continue;
            perror("write");
            exit(1);
        }
        msg += n;
        left -= (size_t)n;
    }
    close(pipefd[1]);
    return NULL;
}

int main(void)
{
    char buf[16];
    size_t got = 0;
    ssize_t n;
    pthread_t t;

    if (pipe(pipefd) == -1) {
        perror("pipe");
        return 1;
    }
    if (pthread_create(&t, NULL, writer, "hello"))
        return 1;
    while (got < sizeof buf && (n = read(pipefd[0], buf + got, sizeof buf - got)) > 0)
        got += (size_t)n;
    pthread_join(t, NULL);
    if (got != 6 || strcmp(buf, "hello") != 0) {
        fprintf(stderr, "got %zu bytes\n", got);
        return 1;
    }
    return 0;
}
