// An elevator: passengers press buttons, the cabin serves the floors in order and opens its door only when stopped.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#define FLOORS 3
#define PASSENGERS 2
enum door { SHUT, OPEN };
struct elevator {
    pthread_mutex_t lock;
    pthread_cond_t pressed, arrived;
    bool wanted[FLOORS];
    int floor, waiting;
    enum door door;
    bool moving;
};
static struct elevator e = {.lock = PTHREAD_MUTEX_INITIALIZER, .pressed = PTHREAD_COND_INITIALIZER, .arrived = PTHREAD_COND_INITIALIZER};
static int served;
static bool any(void) {
    for (int i = 0; i < FLOORS; i++)
        if (e.wanted[i])
            return true;
    return false;
}
static int next_floor(void) {
    for (int step = 0; step < FLOORS; step++) {
        int up = e.floor + step, down = e.floor - step;
        if (up < FLOORS && e.wanted[up])
            return up;
        if (down >= 0 && e.wanted[down])
            return down;
    }
    return e.floor;
}
static void *passenger(void *arg) {
    int to = (int)(long)arg;
    pthread_mutex_lock(&e.lock);
    e.wanted[to] = true;
    pthread_cond_signal(&e.pressed);
    while (!(e.floor == to && e.door == OPEN))
        pthread_cond_wait(&e.arrived, &e.lock);
    e.waiting--;
    pthread_cond_signal(&e.pressed);
    pthread_mutex_unlock(&e.lock);
    return 0;
}
static void *cabin(void *arg) {
    pthread_mutex_lock(&e.lock);
    while (e.waiting > 0) {
        while (!any() && e.waiting > 0)
            pthread_cond_wait(&e.pressed, &e.lock);
        if (e.waiting == 0)
            break;
        int to = next_floor();
        assert(e.door == SHUT);
        e.moving = true;
        while (e.floor != to)
            e.floor += e.floor < to ? 1 : -1;
        e.moving = false;
        e.door = OPEN;
        assert(!e.moving);
        int before = e.waiting;
        pthread_cond_broadcast(&e.arrived);
        while (e.waiting == before)
            pthread_cond_wait(&e.pressed, &e.lock);
        served++;
        e.wanted[to] = false;
        e.door = SHUT;
    }
    pthread_mutex_unlock(&e.lock);
    return arg;
}
int main(void) {
    pthread_t c, p[PASSENGERS];
    e.waiting = PASSENGERS;
    pthread_create(&c, 0, cabin, 0);
    for (long i = 0; i < PASSENGERS; i++)
        pthread_create(&p[i], 0, passenger, (void *)(i + 1));
    for (int i = 0; i < PASSENGERS; i++)
        pthread_join(p[i], 0);
    pthread_join(c, 0);
    assert(served == PASSENGERS);
    return 0;
}
