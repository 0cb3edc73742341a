#include <getopt.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <stdbool.h>
#include <string.h>

/*  -n THREADS  -i ITERATIONS  -l (use the lock)  */

static int  nthreads = 1, iterations = 1;
static bool use_lock = false;
static long counter;
static pthread_mutex_t mutex;

static void usage(const char *prog)
{
    fprintf(stderr, "usage: %s [-n threads] [-i iterations] [-l]\n", prog);
    exit(2);
}

static void *add_loop(void *arg)
{
    long step = *(long *)arg;

    for (int i = 0; i < iterations; i++) {
        if (use_lock)
            pthread_mutex_lock(&mutex);
        counter += step;
        if (use_lock)
            pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

int main(int argc, char *argv[])
{
    int opt, i;
    long one = 1;
    pthread_t *tids;

    while ((opt = getopt(argc, argv, "n:i:l")) != -1) {
        switch (opt) {
        case 'n': nthreads = atoi(optarg); break;
        case 'i': iterations = atoi(optarg); break;
        case 'l': use_lock = true; break;
        default:  usage(argv[0]);
        }
    }
    if (optind != argc || nthreads <= 0)
        usage(argv[0]);

    pthread_mutex_init(&mutex, NULL);
    tids = malloc(nthreads * sizeof *tids);
    for (i = 0; i < nthreads; i++)
        pthread_create(&tids[i], NULL, add_loop, &one);
    for (i = 0; i < nthreads; i++)
        pthread_join(tids[i], NULL);
    printf("counter = %ld\n", counter);
    free(tids);
    return counter == (long)nthreads * iterations ? 0 : 1;
}
