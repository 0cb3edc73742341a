#include <pthread.h>
static int go;
static void *f(void *p) { go = 1; return 0; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    while (!go) ;
    pthread_join(t, 0);
    return 0;
}
