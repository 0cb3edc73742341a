#include <pthread.h>
pthread_mutex_t m; pthread_cond_t c, other;
void *w0(void *arg)
{
	pthread_mutex_lock(&m);
	pthread_cond_wait(&c, &m);
	pthread_mutex_unlock(&m);
	return 0;
}
void *w1(void *arg) { pthread_cond_signal(&other); return 0; }
int main(void)
{
	pthread_t t, u;
	pthread_create(&t, 0, w0, 0);
	pthread_create(&u, 0, w1, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	return 0;
}
