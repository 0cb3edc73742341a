/* The sleeping barber (Dijkstra), with semaphores. */
#include <stdio.h>
#include <stdlib.h>
#include <pthread.h>
#include <semaphore.h>
#include <assert.h>

#define CHAIRS    1
#define CUSTOMERS 3

static sem_t barber_ready;
static sem_t customer_ready;
static sem_t cut_done;
static sem_t access_seats;      /* used as a mutex */
static int   free_seats = CHAIRS;
static int   served, left;
static int   closed;

static void die(const char *msg)
{
    perror(msg);
    exit(EXIT_FAILURE);
}

static void *barber(void *arg)
{
    (void)arg;
    while (1) {
        sem_wait(&customer_ready);
        sem_wait(&access_seats);
        if (closed && free_seats == CHAIRS) {
            sem_post(&access_seats);
            break;
        }
        free_seats++;
        sem_post(&barber_ready);
        sem_post(&access_seats);
        /* cut hair */
        sem_post(&cut_done);
    }
    return NULL;
}

static void *customer(void *arg)
{
    int id = *(int *)arg;

    sem_wait(&access_seats);
    if (free_seats > 0) {
        free_seats--;
        sem_post(&customer_ready);
        sem_post(&access_seats);
        sem_wait(&barber_ready);
        sem_wait(&cut_done);
        sem_wait(&access_seats);
        served++;
        sem_post(&access_seats);
        printf("customer %d: nice haircut\n", id);
    } else {
        left++;
        sem_post(&access_seats);
        printf("customer %d: full, leaving\n", id);
    }
    return NULL;
}

int main(void)
{
    pthread_t b, c[CUSTOMERS];
    int ids[CUSTOMERS], i;

    if (sem_init(&barber_ready, 0, 0) || sem_init(&customer_ready, 0, 0) ||
        sem_init(&cut_done, 0, 0) || sem_init(&access_seats, 0, 1))
        die("sem_init");

    if (pthread_create(&b, NULL, barber, NULL)) die("pthread_create");
    for (i = 0; i < CUSTOMERS; i++) {
        ids[i] = i;
        if (pthread_create(&c[i], NULL, customer, &ids[i])) die("pthread_create");
    }
    for (i = 0; i < CUSTOMERS; i++)
        pthread_join(c[i], NULL);

    sem_wait(&access_seats);
    closed = 1;
    sem_post(&access_seats);
    sem_post(&customer_ready);
    pthread_join(b, NULL);

    assert(served + left == CUSTOMERS);
    assert(served >= 1);
    assert(free_seats == CHAIRS);
    return 0;
}
