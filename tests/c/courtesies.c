/* Auxiliary calls: names and attributes of threads, ignored signals, output by `write`, `err`. */
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void *work(void *arg)
{
    const char text[] = "working\n";
    pthread_testcancel();
    write(STDERR_FILENO, text, strlen(text));
    return arg;
}

int main(void)
{
    pthread_attr_t attr;
    struct sched_param param = { .sched_priority = sched_get_priority_min(SCHED_RR) };
    pthread_rwlockattr_t rw;
    pthread_t t;
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(0, &set);
    signal(SIGPIPE, SIG_IGN);
    pthread_rwlockattr_init(&rw);
    pthread_attr_init(&attr);
    pthread_attr_setschedpolicy(&attr, SCHED_RR);
    pthread_attr_setschedparam(&attr, &param);
    if (pthread_create(&t, &attr, work, NULL) != 0)
        err(EXIT_FAILURE, "pthread_create");
    pthread_setname_np(t, "worker");
    pthread_join(t, NULL);
    pthread_attr_destroy(&attr);
    fwrite("done\n", 1, 5, stdout);
    return ffs(8) != 4;
}
