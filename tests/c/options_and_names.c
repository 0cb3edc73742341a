/* Options are parsed from the arguments, and a semaphore is opened by name. */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <unistd.h>

static int shared;

static void *work(void *arg)
{
    sem_t *sem = arg;
    sem_wait(sem);
    shared++;
    sem_post(sem);
    return 0;
}

int main(int argc, char *argv[])
{
    int option, rounds = 2;
    while ((option = getopt(argc, argv, "n:v")) != -1)
        rounds = option == 'n' ? atoi(optarg) : rounds;
    assert(optind == argc);
    char *words[] = { "x", "-v", "-n3", "-vn", "4", "rest", 0 };
    optind = 1;
    assert(getopt(6, words, "n:v") == 'v');
    assert(getopt(6, words, "n:v") == 'n' && atoi(optarg) == 3);
    assert(getopt(6, words, "n:v") == 'v');
    assert(getopt(6, words, "n:v") == 'n' && atoi(optarg) == 4);
    assert(getopt(6, words, "n:v") == -1 && optind == 5);

    sem_t *sem = sem_open("/mine", O_CREAT, 0600, 1);
    assert(sem != SEM_FAILED && sem_open("/mine", 0) == sem && sem_open("/other", 0) == SEM_FAILED);
    pthread_t threads[2];
    for (int i = 0; i < rounds; i++)
        pthread_create(&threads[i], 0, work, sem);
    for (int i = 0; i < rounds; i++)
        pthread_join(threads[i], 0);
    sem_close(sem);
    sem_unlink("/mine");
    return shared != rounds;
}
