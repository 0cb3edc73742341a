/* Errors of semaphore functions set `errno`. */
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <semaphore.h>

int main(void) {
    sem_t full, empty, none;
    assert(sem_init(&none, 0, SEM_VALUE_MAX + 1u) == -1 && errno == EINVAL);
    sem_init(&full, 0, SEM_VALUE_MAX);
    assert(sem_post(&full) == -1 && errno == EOVERFLOW);
    sem_init(&empty, 0, 0);
    assert(sem_trywait(&empty) == -1 && errno == EAGAIN);
    return 0;
}
