/*****************************************************************
 *  Dining philosophers with a waiter                             *
 *  The waiter (a semaphore) lets only N-1 philosophers sit down. *
 *****************************************************************/
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <pthread.h>
#include <semaphore.h>

#define N      3
#define LEFT   (i)
#define RIGHT  ((i + 1) % N)

enum { THINKING, HUNGRY, EATING };

sem_t            waiter;
pthread_mutex_t  fork_[N];
int              state[N];

void think(int i)
{
   state[i] = THINKING;
   printf("Philosopher %d is thinking\n", i);
   usleep(1000);
}

void eat(int i)
{
   state[i] = EATING;
   printf("Philosopher %d is eating\n", i);
   usleep(1000);
}

void *philosopher(void *num)
{
   int i = *(int *)num;

   think(i);
   state[i] = HUNGRY;
   sem_wait(&waiter);
   pthread_mutex_lock(&fork_[LEFT]);
   pthread_mutex_lock(&fork_[RIGHT]);
   eat(i);
   pthread_mutex_unlock(&fork_[RIGHT]);
   pthread_mutex_unlock(&fork_[LEFT]);
   sem_post(&waiter);
   think(i);
   pthread_exit(NULL);
}

int main(int argc, char **argv)
{
   pthread_t thr[N];
   int       num[N];
   int       i, rc;

   (void) argc; (void) argv;
   sem_init(&waiter, 0, N - 1);
   for (i = 0; i < N; i++) {
      num[i] = i;
      pthread_mutex_init(&fork_[i], NULL);
   }
   for (i = 0; i < N; i++) {
      rc = pthread_create(&thr[i], NULL, philosopher, &num[i]);
      if (rc) {
         printf("ERROR; return code from pthread_create() is %d\n", rc);
         exit(-1);
      }
   }
   for (i = 0; i < N; i++)
      pthread_join(thr[i], NULL);
   for (i = 0; i < N; i++)
      pthread_mutex_destroy(&fork_[i]);
   sem_destroy(&waiter);
   return 0;
}
