/* A race with a string that another thread has copied, which goes on to other statements since. */
#include <pthread.h>
#include <string.h>
static char name[8];
static int x, y;
static void *work(void *p) {
    strcpy(name, "abc");
    x = 1;
    y = (int)strlen("other");
    return p;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    name[0] = 'z';
    pthread_join(t, 0);
    return x + y;
}
