/* Adjacent bit-fields share their bytes. */
#include <pthread.h>
static struct { unsigned a : 4, b : 4; } f;
static void *one(void *p) { f.a = 1; return 0; }
static void *two(void *p) { f.b = 1; return 0; }
int main(void)
{
    pthread_t s, t;
    pthread_create(&s, 0, one, 0);
    pthread_create(&t, 0, two, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
