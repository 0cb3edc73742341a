#include <pthread.h>
static int data, ready;
static void *writer(void *a) { data = 7; ready = 1; return 0; }
int main(void)
{
    pthread_t t;
    int v = 7;
    pthread_create(&t, 0, writer, 0);
    if (ready) v = data;
    pthread_join(t, 0);
    return v - 7;
}
