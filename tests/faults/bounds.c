/* Macros, enumeration constants and const integers that --bound replaces. */
#include <pthread.h>
#include <assert.h>
#include <limits.h>
#define ROUNDS 500
#define AREA (ROUNDS * 2)
#define NAME "x"
enum { FIRST = 5, CAP = 100, NEXT };
static const int LIMIT = 1000;
static int variable = 7;
static int a[CAP];
enum { OTHER = ROUNDS };
#undef ROUNDS
#define ROUNDS 1000u
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static unsigned n;
static void *w(void *p) { for (unsigned i = 0; i < ROUNDS; i++) { pthread_mutex_lock(&m); n++; pthread_mutex_unlock(&m); } return p; }
int main(void) {
    const long inner = 12;
    pthread_t t, u;
    pthread_create(&t, 0, w, 0); pthread_create(&u, 0, w, 0);
    pthread_join(t, 0); pthread_join(u, 0);
    assert(n == AREA && LIMIT < INT_MAX && inner > 1 && variable == 7 && NEXT == CAP + 1 && sizeof a == CAP * sizeof(int));
    return 0;
}
