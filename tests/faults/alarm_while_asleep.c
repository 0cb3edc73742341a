/* The alarm interrupts the sleep. */
#include <signal.h>
#include <unistd.h>
#include <assert.h>
static volatile sig_atomic_t got;
static void on(int s) { got = s; }
int main(void) { signal(SIGALRM, on); alarm(2); sleep(5); assert(!got); return 0; }
