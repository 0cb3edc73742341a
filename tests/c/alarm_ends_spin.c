/* Only the SIGALRM handler ends the loop: its effect is not modelled. */
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
