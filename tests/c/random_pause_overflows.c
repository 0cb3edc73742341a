/* The duration overflows its type, although it is otherwise irrelevant. */
#include <stdlib.h>
#include <time.h>

int main(void) {
    struct timespec pause = { 0 };
    pause.tv_nsec = (rand() % 3000) * 1000000;
    nanosleep(&pause, NULL);
    return 0;
}
