/* A signal of the only thread for its process is delivered before `kill` returns. */
#include <signal.h>
#include <unistd.h>
#include <assert.h>
static int got;
static void on(int s) { got = s; }
int main(void) { signal(SIGUSR1, on); kill(getpid(), SIGUSR1); assert(got == SIGUSR1); return 0; }
