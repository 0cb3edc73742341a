#include <pthread.h>
struct account { int balance; pthread_mutex_t lock; };
static struct account x = { 10, PTHREAD_MUTEX_INITIALIZER }, y = { 10, PTHREAD_MUTEX_INITIALIZER };
static void transfer(struct account *from, struct account *to)
{
    pthread_mutex_lock(&from->lock);
    pthread_mutex_lock(&to->lock);
    from->balance--;
    to->balance++;
    pthread_mutex_unlock(&to->lock);
    pthread_mutex_unlock(&from->lock);
}
static void *there(void *a) { transfer(&x, &y); return 0; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, there, 0);
    transfer(&y, &x);
    pthread_join(t, 0);
    return 0;
}
