/* Fire-and-forget requests, descriptor on the caller's stack. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <semaphore.h>

typedef struct request {
	char what[12];
	int  priority;
} request_t;

static sem_t finished;

static void *serve(void *arg)
{
	request_t *req = arg;

	if (req->priority > 3)
		printf("urgent: %s\n", req->what);
	else
		printf("serving %s\n", req->what);
	sem_post(&finished);
	return NULL;
}

static int submit(const char *what, int priority)
{
	request_t req;
	pthread_t t;

	strcpy(req.what, what);
	req.priority = priority;
	if (pthread_create(&t, NULL, serve, &req) != 0)
		return -1;
	pthread_detach(t);
	return 0;
}

int main(void)
{
	sem_init(&finished, 0, 0);
	if (submit("coffee", 5) < 0) {
		perror("submit");
		return 1;
	}
	sem_wait(&finished);
	sem_destroy(&finished);
	return 0;
}
