// A client returns its connection twice on an error, so two others get the same one.
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int stack[4], top, users[2];
static void give_back(int c) {
    pthread_mutex_lock(&lock);
    stack[top++] = c;
    pthread_mutex_unlock(&lock);
}
static int take(void) {
    pthread_mutex_lock(&lock);
    int c = top > 0 ? stack[--top] : -1;
    if (c >= 0)
        assert(++users[c] == 1);
    pthread_mutex_unlock(&lock);
    return c;
}
static void leave(int c) {
    pthread_mutex_lock(&lock);
    users[c]--;
    pthread_mutex_unlock(&lock);
    give_back(c);
}
static int work(int c) { return c; }
static void *client(void *arg) {
    int c = take();
    if (c < 0)
        return arg;
    int failed = work(c) != 1;
    if (failed)
        leave(c);
    if (!failed)
        leave(c);
    else
        give_back(c);
    return arg;
}
int main(void) {
    pthread_t t[3];
    give_back(0);
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, client, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    return 0;
}
