/* Cigarette smokers problem, simple (wrong) solution. */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>

sem_t agent, tobacco, paper, match;

/* which two ingredients the agent puts on the table in each round */
static int rounds[] = { 0, 1 };
#define NROUNDS ((int)(sizeof(rounds) / sizeof(rounds[0])))

void *agent_thread(void *arg)
{
    int i;
    (void)arg;
    for (i = 0; i < NROUNDS; i++) {
        sem_wait(&agent);
        switch (rounds[i]) {
        case 0: sem_post(&tobacco); sem_post(&paper); break;
        case 1: sem_post(&paper);   sem_post(&match); break;
        case 2: sem_post(&match);   sem_post(&tobacco); break;
        }
    }
    return NULL;
}

void *smoker_with_match(void *arg)
{
    (void)arg;
    sem_wait(&tobacco);
    sem_wait(&paper);
    printf("smoker with matches smokes\n");
    sem_post(&agent);
    return NULL;
}

void *smoker_with_tobacco(void *arg)
{
    (void)arg;
    sem_wait(&paper);
    sem_wait(&match);
    printf("smoker with tobacco smokes\n");
    sem_post(&agent);
    return NULL;
}

int main(void)
{
    pthread_t a, s1, s2;

    sem_init(&agent, 0, 1);
    sem_init(&tobacco, 0, 0);
    sem_init(&paper, 0, 0);
    sem_init(&match, 0, 0);
    if (pthread_create(&a, NULL, agent_thread, NULL) ||
        pthread_create(&s1, NULL, smoker_with_match, NULL) ||
        pthread_create(&s2, NULL, smoker_with_tobacco, NULL)) {
        perror("pthread_create");
        exit(EXIT_FAILURE);
    }
    pthread_join(a, NULL);
    pthread_join(s1, NULL);
    pthread_join(s2, NULL);
    return EXIT_SUCCESS;
}
