/* Count primes below a limit, numbers handed out one at a time.
 *
 *   usage: primes LIMIT NTHREADS
 */
#include <stdio.h>
#include <stdlib.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int next_number = 2;
static int limit;
static int total;

static int is_prime(int n)
{
    if (n < 2) return 0;
    for (int d = 2; d * d <= n; d++)
        if (n % d == 0) return 0;
    return 1;
}

static int fetch(void)
{
    int n = -1;
    pthread_mutex_lock(&lock);
    if (next_number < limit)
        n = next_number++;
    pthread_mutex_unlock(&lock);
    return n;
}

static void *count_primes(void *arg)
{
    int n;
    int *mine = arg;
    while ((n = fetch()) != -1)
        *mine += is_prime(n);
    pthread_mutex_lock(&lock);
    total += *mine;
    pthread_mutex_unlock(&lock);
    return arg;
}

static long parse(const char *s, const char *what, long max)
{
    char *end;
    errno = 0;
    long v = strtol(s, &end, 10);
    if (errno || *end != '\0' || end == s || v < 1 || v > max) {
        fprintf(stderr, "bad %s: '%s'\n", what, s);
        exit(EXIT_FAILURE);
    }
    return v;
}

int main(int argc, char *argv[])
{
    if (argc != 3) {
        fprintf(stderr, "usage: %s LIMIT NTHREADS\n", argv[0]);
        return EXIT_FAILURE;
    }
    limit = (int)parse(argv[1], "limit", INT_MAX);
    int n = (int)parse(argv[2], "number of threads", 64);

    pthread_t *tid = calloc(n, sizeof(*tid));
    int *partial = calloc(n, sizeof(*partial));
    if (tid == NULL || partial == NULL) {
        perror("calloc");
        return EXIT_FAILURE;
    }
    for (int i = 0; i < n; i++)
        if ((errno = pthread_create(&tid[i], NULL, count_primes, &partial[i]))) {
            perror("pthread_create");
            return EXIT_FAILURE;
        }
    int sum = 0;
    for (int i = 0; i < n; i++) {
        void *r;
        pthread_join(tid[i], &r);
        sum += *(int *)r;
    }
    if (sum != total)
        abort();
    printf("%d primes below %d\n", total, limit);
    free(partial);
    free(tid);
    return EXIT_SUCCESS;
}
