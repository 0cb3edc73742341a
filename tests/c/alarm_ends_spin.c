/* Only the alarm gets the thread out of its loop: nothing is known of what it does. */
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t rung;
static void ring(int number) { (void)number; rung = 1; }
int main(void)
{
    signal(SIGALRM, ring);
    alarm(1);
    while (!rung) { }
    return 0;
}
