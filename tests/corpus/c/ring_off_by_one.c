/* Ring buffer for samples of a sensor, producer and consumer threads. */
#include <pthread.h>
#include <stdio.h>

#define RING_SIZE 3
#define SAMPLES   5

struct ring {
    short           buf[RING_SIZE];
    unsigned        rpos;
    unsigned        wpos;
    unsigned        fill;
    pthread_mutex_t mtx;
    pthread_cond_t  cv;
};

static struct ring r = {
    .mtx = PTHREAD_MUTEX_INITIALIZER,
    .cv  = PTHREAD_COND_INITIALIZER,
};

static void advance(unsigned *pos)
{
    if (*pos == RING_SIZE)
        *pos = 0;
    else
        (*pos)++;
}

static void ring_write(short v)
{
    pthread_mutex_lock(&r.mtx);
    while (r.fill == RING_SIZE)
        pthread_cond_wait(&r.cv, &r.mtx);
    r.buf[r.wpos] = v;
    advance(&r.wpos);
    r.fill++;
    pthread_cond_broadcast(&r.cv);
    pthread_mutex_unlock(&r.mtx);
}

static short ring_read(void)
{
    short v;
    pthread_mutex_lock(&r.mtx);
    while (r.fill == 0)
        pthread_cond_wait(&r.cv, &r.mtx);
    v = r.buf[r.rpos];
    advance(&r.rpos);
    r.fill--;
    pthread_cond_broadcast(&r.cv);
    pthread_mutex_unlock(&r.mtx);
    return v;
}

static void *sensor(void *arg)
{
    (void)arg;
    for (short i = 0; i < SAMPLES; i++)
        ring_write(i * 100);
    return NULL;
}

int main(void)
{
    pthread_t t;
    long sum = 0;

    pthread_create(&t, NULL, sensor, NULL);
    for (int i = 0; i < SAMPLES; i++)
        sum += ring_read();
    pthread_join(t, NULL);
    printf("average %ld\n", sum / SAMPLES);
    return 0;
}
