#include <pthread.h>
#include <assert.h>
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int made;
static void make(void) { made++; }
static void *user(void *arg) { pthread_once(&once, make); assert(made == 1); return 0; }
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, user, 0);
    pthread_create(&b, 0, user, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
