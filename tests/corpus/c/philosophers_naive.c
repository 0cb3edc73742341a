/* dining philosophers, first attempt.  Usage: phil N ROUNDS */
#include <stdio.h>
#include <stdlib.h>
#include <pthread.h>

typedef struct philosopher {
	int             id;
	int             rounds;
	pthread_mutex_t *left;
	pthread_mutex_t *right;
	int             meals;
} philosopher;

static void *dine(void *arg)
{
	philosopher *p = arg;

	while (p->meals < p->rounds) {
		pthread_mutex_lock(p->left);
		pthread_mutex_lock(p->right);
		p->meals++;
		pthread_mutex_unlock(p->right);
		pthread_mutex_unlock(p->left);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	int n, rounds, i;

	if (argc < 3) {
		fprintf(stderr, "Usage: %s N ROUNDS\n", argv[0]);
		exit(1);
	}
	n = atoi(argv[1]);
	rounds = atoi(argv[2]);
	if (n < 2 || rounds < 1) {
		fprintf(stderr, "nothing to do\n");
		exit(1);
	}

	pthread_mutex_t *forks = malloc(n * sizeof *forks);
	philosopher     *phils = malloc(n * sizeof *phils);
	pthread_t       *tids  = malloc(n * sizeof *tids);

	for (i = 0; i < n; i++)
		pthread_mutex_init(&forks[i], NULL);
	for (i = 0; i < n; i++) {
		phils[i].id = i;
		phils[i].rounds = rounds;
		phils[i].meals = 0;
		phils[i].left = &forks[i];
		phils[i].right = &forks[(i + 1) % n];
		pthread_create(&tids[i], NULL, dine, &phils[i]);
	}
	for (i = 0; i < n; i++) {
		pthread_join(tids[i], NULL);
		printf("philosopher %d ate %d times\n", phils[i].id, phils[i].meals);
	}
	free(tids);
	free(phils);
	free(forks);
	return 0;
}
