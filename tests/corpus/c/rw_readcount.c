/* First readers-writers problem: forgot the mutex around the last part */
#include <stdio.h>
#include <pthread.h>
#include <semaphore.h>

sem_t wrt;
pthread_mutex_t mutex;
int cnt = 1;
int numreader = 0;

void *writer(void *wno)
{
    sem_wait(&wrt);
    cnt = cnt * 2;
    printf("Writer %d modified cnt to %d\n", (*((int *)wno)), cnt);
    sem_post(&wrt);
    return NULL;
}

void *reader(void *rno)
{
    // Reader acquires the lock before modifying numreader
    pthread_mutex_lock(&mutex);
    numreader++;
    if (numreader == 1) {
        sem_wait(&wrt); // If this is the first reader, block the writer
    }
    pthread_mutex_unlock(&mutex);

    // Reading section
    printf("Reader %d: read cnt as %d\n", *((int *)rno), cnt);

    numreader--;
    if (numreader == 0) {
        sem_post(&wrt); // If this is the last reader, wake up the writer
    }
    return NULL;
}

int main()
{
    pthread_t read[2], write[1];
    int a[2] = {1, 2};

    pthread_mutex_init(&mutex, NULL);
    sem_init(&wrt, 0, 1);

    for (int i = 0; i < 2; i++)
        pthread_create(&read[i], NULL, reader, (void *)&a[i]);
    pthread_create(&write[0], NULL, writer, (void *)&a[0]);

    for (int i = 0; i < 2; i++)
        pthread_join(read[i], NULL);
    pthread_join(write[0], NULL);

    pthread_mutex_destroy(&mutex);
    sem_destroy(&wrt);
    return 0;
}
