/* After a timed-out wait the clock is not before the deadline; the time influences the behaviour here. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;
static sem_t never;

static int is_over(const struct timespec *until) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return now.tv_sec > until->tv_sec || (now.tv_sec == until->tv_sec && now.tv_nsec >= until->tv_nsec);
}

static void *work(void *unused) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 2;
    assert(pthread_mutex_timedlock(&lock, &until) == ETIMEDOUT && is_over(&until));
    until.tv_sec += 2;
    assert(pthread_rwlock_timedrdlock(&table, &until) == ETIMEDOUT && is_over(&until));
    until.tv_sec += 2;
    assert(sem_timedwait(&never, &until) == -1 && errno == ETIMEDOUT && is_over(&until));
    return unused;
}

int main(void) {
    pthread_t thread;
    sem_init(&never, 0, 0);
    pthread_mutex_lock(&lock);
    pthread_rwlock_wrlock(&table);
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    return 0;
}
