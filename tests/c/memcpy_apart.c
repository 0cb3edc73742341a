#include <pthread.h>
#include <string.h>
#include <assert.h>
static char buffer[8];
static void *one(void *p) { memcpy(buffer, "abc", 4); return 0; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, one, 0);
    memcpy(buffer + 4, "xyz", 4);
    pthread_join(t, 0);
    assert(strcmp(buffer, "abc") == 0 && strcmp(buffer + 4, "xyz") == 0);
    return 0;
}
