/* Asynchronous logger: callers format into a ring, one thread writes. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <stdbool.h>
#include <pthread.h>
#include <assert.h>

#define RING    2
#define LINELEN 32

static char            ring[RING][LINELEN];
static unsigned        rd, wr;
static bool            closing;
static int             written;
static pthread_mutex_t mu        = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t  not_empty = PTHREAD_COND_INITIALIZER;
static pthread_cond_t  not_full  = PTHREAD_COND_INITIALIZER;

__attribute__((format(printf, 1, 2)))
static void log_msg(const char *fmt, ...)
{
    char    line[LINELEN];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(line, sizeof line, fmt, ap);
    va_end(ap);

    pthread_mutex_lock(&mu);
    while (wr - rd == RING)
        pthread_cond_wait(&not_full, &mu);
    strcpy(ring[wr++ % RING], line);
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&mu);
}

static void *log_writer(void *unused)
{
    char copy[LINELEN];

    (void)unused;
    pthread_mutex_lock(&mu);
    for (;;) {
        while (rd == wr && !closing)
            pthread_cond_wait(&not_empty, &mu);
        if (rd == wr)
            break;
        memcpy(copy, ring[rd % RING], LINELEN);
        rd++;
        pthread_cond_signal(&not_full);
        pthread_mutex_unlock(&mu);
        fputs(copy, stdout);
        written++;
        pthread_mutex_lock(&mu);
    }
    pthread_mutex_unlock(&mu);
    return NULL;
}

static void log_close(pthread_t writer)
{
    pthread_mutex_lock(&mu);
    closing = true;
    pthread_cond_broadcast(&not_empty);
    pthread_mutex_unlock(&mu);
    pthread_join(writer, NULL);
}

static void *worker(void *arg)
{
    int id = *(const int *)arg;

    log_msg("[%d] start\n", id);
    log_msg("[%d] stop\n", id);
    return NULL;
}

int main(void)
{
    static const int ids[2] = { 1, 2 };
    pthread_t w, t[2];

    pthread_create(&w, NULL, log_writer, NULL);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, (void *)&ids[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    log_close(w);
    assert(written == 4);
    return 0;
}
