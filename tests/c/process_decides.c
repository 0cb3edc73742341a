/* A process id influences the behaviour. */
#include <unistd.h>

int main(void) { return getpid() == 1 ? 1 : 0; }
