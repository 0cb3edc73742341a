/* The handler runs in the thread that sends the signal to itself. */
#include <signal.h>
#include <unistd.h>
#include <pthread.h>
#include <assert.h>
static volatile sig_atomic_t got;
static void on(int s) { got = s; }
static void *w(void *p) { pthread_kill(pthread_self(), SIGUSR1); return p; }
int main(void) { pthread_t t; signal(SIGUSR1, on); pthread_create(&t,0,w,0); pthread_join(t,0); assert(got != 10); return 0; }
