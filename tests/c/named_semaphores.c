/* Semaphores are identified by their full names; an existing one is not created again, and an unlinked one stays usable. */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>

static void *work(void *unused) {
    sem_t *mine = sem_open("/the_semaphore_of_the_first_queue_a", O_CREAT, 0600, 0);
    assert(mine != SEM_FAILED);
    sem_post(mine);
    return unused;
}

int main(void) {
    pthread_t thread;
    sem_t *one, *other;
    int value;
    assert(sem_open("/the_semaphore_of_the_first_queue_a", 0) == SEM_FAILED && errno == ENOENT);
    assert(sem_unlink("/the_semaphore_of_the_first_queue_a") == -1 && errno == ENOENT);
    pthread_create(&thread, 0, work, 0);
    one = sem_open("/the_semaphore_of_the_first_queue_a", O_CREAT, 0600, 0);
    other = sem_open("/the_semaphore_of_the_first_queue_b", O_CREAT | O_EXCL, 0600, 3);
    assert(one != other);
    sem_wait(one);
    pthread_join(thread, 0);
    assert(sem_getvalue(other, &value) == 0 && value == 3);
    assert(sem_open("/the_semaphore_of_the_first_queue_b", O_CREAT | O_EXCL, 0600, 3) == SEM_FAILED);
    assert(errno == EEXIST);
    assert(sem_unlink("/the_semaphore_of_the_first_queue_b") == 0);
    assert(sem_open("/the_semaphore_of_the_first_queue_b", 0) == SEM_FAILED);
    assert(sem_open("/the_semaphore_of_the_first_queue_b", O_CREAT, 0600, 1) != other);
    assert(sem_wait(other) == 0);
    return 0;
}
