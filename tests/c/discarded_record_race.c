/* A discarded value is read, while another thread writes it. */
#include <pthread.h>

static struct point {
    int x, y;
} at;

static void *move(void *given)
{
    at.y = 1;
    return given;
}

int main(void)
{
    pthread_t mover;
    pthread_create(&mover, 0, move, 0);
    (void)at;
    pthread_join(mover, 0);
    return 0;
}
