/* The program defines functions and a variable with library names: its definitions take precedence. */
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <strings.h>

int warn = 3;
static int errors;

void error(void)
{
    errors++;
}

int ffs(int v)
{
    return v + 40;
}

int abs(int v)
{
    return v * v;
}

static void *work(void *arg)
{
    char text[8];
    strcpy(text, "abc");
    assert(strchr(text, 'c') == text + 2);
    error();
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_attr_t attr;
    pthread_attr_init(&attr);
    pthread_attr_setscope(&attr, PTHREAD_SCOPE_SYSTEM);
    pthread_create(&t, &attr, work, 0);
    pthread_join(t, 0);
    assert(errors == 1 && ffs(2) == 42 && abs(-4) == 16 && warn == 3);
    return 0;
}
