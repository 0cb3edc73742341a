/* The handler may interrupt the other thread at any step, which is not explored. */
#include <signal.h>
#include <unistd.h>
#include <pthread.h>
#include <assert.h>
static volatile sig_atomic_t got;
static void on(int s) { got = s; }
static void *w(void *p) { return p; }
int main(void) { pthread_t t; signal(SIGUSR1, on); pthread_create(&t,0,w,0); pthread_kill(t, SIGUSR1); pthread_join(t,0); return 0; }
