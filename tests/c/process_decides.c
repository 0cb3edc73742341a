/* And here one decides. */
#include <unistd.h>

int main(void) { return getpid() == 1 ? 1 : 0; }
