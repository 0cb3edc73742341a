/* The door and the motor of a lift, in two threads. */
#include <assert.h>
#include <pthread.h>

enum door { SHUT, AJAR };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static enum door door;
static int moving;
static int rides;

static void *motor(void *unused)
{
    for (int ride = 0; ride < 2; ride++) {
        pthread_mutex_lock(&lock);
        if (door == SHUT) {
            moving = 1;
            rides++;
        }
        pthread_mutex_unlock(&lock);
        pthread_mutex_lock(&lock);
        moving = 0;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

static void *visitor(void *unused)
{
    pthread_mutex_lock(&lock);
    if (!moving)
        door = AJAR;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    door = SHUT;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t one, other;
    pthread_create(&one, 0, motor, 0);
    pthread_create(&other, 0, visitor, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    assert(rides <= 2);
    return 0;
}
