// Observers register and deregister while a subject notifies them; a copy of the list is made under the lock.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#define MOST 3
typedef void (*observer)(int *state, int event);
struct entry { observer call; int *state; };
static struct entry list[MOST];
static int count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void add(observer call, int *state) {
    pthread_mutex_lock(&lock);
    assert(count < MOST);
    list[count].call = call;
    list[count].state = state;
    count++;
    pthread_mutex_unlock(&lock);
}
static void leave(observer call) {
    pthread_mutex_lock(&lock);
    for (int i = 0; i < count; i++)
        if (list[i].call == call) {
            memmove(&list[i], &list[i + 1], (size_t)(count - i - 1) * sizeof list[0]);
            count--;
            break;
        }
    pthread_mutex_unlock(&lock);
}
static void notify(int event) {
    struct entry copy[MOST];
    pthread_mutex_lock(&lock);
    int n = count;
    memcpy(copy, list, (size_t)n * sizeof copy[0]);
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < n; i++)
        copy[i].call(copy[i].state, event);
}
static void sum(int *state, int event) { *state += event; }
static void last(int *state, int event) { *state = event; }
static int total, latest;
static void *subject(void *arg) {
    notify(2);
    notify(5);
    return arg;
}
int main(void) {
    pthread_t s;
    add(sum, &total);
    pthread_create(&s, 0, subject, 0);
    add(last, &latest);
    leave(last);
    pthread_join(s, 0);
    assert(total == 7);
    assert(latest == 0 || latest == 2 || latest == 5);
    return 0;
}
