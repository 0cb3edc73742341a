// One error path of a function does not release the lock.
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance = 5;
static int withdraw(int amount) {
    pthread_mutex_lock(&lock);
    if (amount > balance)
        return -1;
    balance -= amount;
    pthread_mutex_unlock(&lock);
    return 0;
}
static void *customer(void *arg) {
    withdraw(3);
    return arg;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, customer, 0);
    pthread_create(&b, 0, customer, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return withdraw(1);
}
