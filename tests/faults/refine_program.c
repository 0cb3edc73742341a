/* Three violations: of an assertion, of a formula, and of termination. */
#include <assert.h>
#include <pthread.h>

static int count, done;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *unused) {
  (void)unused;
  for (int i = 0; i < 3; i++) {
    pthread_mutex_lock(&lock);
    count++;
    assert(count != 5);
    pthread_mutex_unlock(&lock);
  }
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  done = 1;
  return 0;
}
