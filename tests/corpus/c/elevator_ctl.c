/* Elevator controller: passengers press buttons, one cabin serves them. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

#define FLOORS      3
#define PASSENGERS  2

typedef enum { DOWN = -1, IDLE = 0, UP = 1 } dir_t;

static pthread_mutex_t monitor = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t  button  = PTHREAD_COND_INITIALIZER;
static pthread_cond_t  arrived = PTHREAD_COND_INITIALIZER;

static int   request[FLOORS];
static int   floor_now = 0;
static int   door_open = 0;
static int   served    = 0;
static dir_t dir       = IDLE;

static int any_request(void) {
    for (int f = 0; f < FLOORS; f++)
        if (request[f] > 0) return 1;
    return 0;
}

static dir_t choose(void) {
    if (request[floor_now] > 0) return IDLE;
    if (dir != DOWN)
        for (int f = floor_now + 1; f < FLOORS; f++)
            if (request[f] > 0) return UP;
    for (int f = floor_now - 1; f >= 0; f--)
        if (request[f] > 0) return DOWN;
    return UP;
}

static void *cabin(void *arg) {
    (void)arg;
    pthread_mutex_lock(&monitor);
    while (served < 2 * PASSENGERS) {
        while (!any_request() && served < 2 * PASSENGERS)
            pthread_cond_wait(&button, &monitor);
        if (served == 2 * PASSENGERS) break;
        dir = choose();
        if (dir == IDLE) {
            door_open = 1;
            pthread_cond_broadcast(&arrived);
            while (request[floor_now] > 0)
                pthread_cond_wait(&button, &monitor);
            door_open = 0;
        } else {
            assert(!door_open);             /* never move with open doors */
            floor_now += dir;
            assert(floor_now >= 0 && floor_now < FLOORS);
        }
    }
    pthread_mutex_unlock(&monitor);
    return NULL;
}

static void go_to(int f) {
    request[f]++;
    pthread_cond_signal(&button);
    while (!(floor_now == f && door_open))
        pthread_cond_wait(&arrived, &monitor);
    request[f]--;
    served++;
    pthread_cond_signal(&button);
}

struct trip { int from, to; };

static void *passenger(void *arg) {
    struct trip *t = arg;
    pthread_mutex_lock(&monitor);
    go_to(t->from);
    go_to(t->to);
    pthread_mutex_unlock(&monitor);
    return NULL;
}

int main(void) {
    pthread_t lift, p[PASSENGERS];
    struct trip trips[PASSENGERS] = { { 0, 2 }, { 2, 1 } };

    pthread_create(&lift, NULL, cabin, NULL);
    for (int i = 0; i < PASSENGERS; i++)
        pthread_create(&p[i], NULL, passenger, &trips[i]);
    for (int i = 0; i < PASSENGERS; i++)
        pthread_join(p[i], NULL);
    pthread_join(lift, NULL);
    printf("all passengers served, cabin at %d\n", floor_now);
    return 0;
}
