/* `sscanf` of configuration lines: numbers, words, scan sets, widths, and input that does not match. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static int limit;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *reader(void *arg)
{
    char name[8];
    int value, end;
    int got = sscanf(arg, " %7[a-z] = %d%n", name, &value, &end);
    assert(got == 2 && strcmp(name, "limit") == 0 && end == (int)strlen(arg));
    pthread_mutex_lock(&lock);
    limit += value;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], 0, reader, "limit=10");
    pthread_create(&t[1], 0, reader, "  limit = -3");
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    assert(limit == 7);

    unsigned u;
    long l;
    short h;
    unsigned char b;
    char c, word[4], rest[8];
    assert(sscanf("ff 077 0x1F -5", "%x %li %hhi %hd", &u, &l, &b, &h) == 4);
    assert(u == 255 && l == 63 && b == 31 && h == -5);
    assert(sscanf("12345", "%2d%*1d%c%3s", &limit, &c, word) == 3);
    assert(limit == 12 && c == '4' && strcmp(word, "5") == 0);
    assert(sscanf("key:value", "%*[^:]:%7s", rest) == 1 && strcmp(rest, "value") == 0);
    assert(sscanf("", "%d", &limit) == EOF && sscanf("x", "%d", &limit) == 0);
    assert(sscanf("7%", "%d%%%c", &limit, &c) == 1 && limit == 7);
    return 0;
}
