#include <pthread.h>
#include <string.h>
static char buffer[8];
static void *one(void *p) { memcpy(buffer, "1234567", 8); return 0; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, one, 0);
    memset(buffer + 4, 0, 2);
    pthread_join(t, 0);
    return 0;
}
