/* More of library.c: named semaphores. */
/* At first there are none. One that is unlinked has no name any more, and exists for the threads that have it open. One thread at a time looks
   at the names; a name that is longer, or one semaphore more, is not known here. */
int sem_init(void *, int, unsigned);
int pthread_mutex_lock(void *);
int pthread_mutex_unlock(void *);
static struct { int life, kind, count; void *owner; } __axle_names;
static struct { char name[64]; int linked; long sem[8]; } __axle_semaphores[8];
/* The number of the semaphore of a name, or that of the first place that was never used. */
static int __axle_named(const char *name)
{
    int i = 0;
    if (strlen(name) > 63) __axle_unsupported("names of semaphores with more than 63 characters");
    for (; i < 8 && __axle_semaphores[i].name[0]; i++)
        if (__axle_semaphores[i].linked && strcmp(__axle_semaphores[i].name, name) == 0) return i;
    return i;
}
void *sem_open(const char *name, int how, ...)
{
    void *sem = 0;
    pthread_mutex_lock(&__axle_names);
    int i = __axle_named(name);
    if (i < 8 && __axle_semaphores[i].linked) {
        if ((how & 0300) == 0300) errno = 17;
        else sem = __axle_semaphores[i].sem;
    } else if (!(how & 0100)) errno = 2;
    else {
        if (i == 8 || !name[0]) __axle_unsupported("more than 8 named semaphores, or an empty name");
        __builtin_va_list list;
        __builtin_va_start(list, how);
        (void)__builtin_va_arg(list, unsigned);
        unsigned value = __builtin_va_arg(list, unsigned);
        __builtin_va_end(list);
        if (sem_init(__axle_semaphores[i].sem, 0, value) == 0) {
            strcpy(__axle_semaphores[i].name, name);
            __axle_semaphores[i].linked = 1;
            sem = __axle_semaphores[i].sem;
        }
    }
    pthread_mutex_unlock(&__axle_names);
    return sem;
}
int sem_close(void *sem) { (void)sem; return 0; }
int sem_unlink(const char *name)
{
    pthread_mutex_lock(&__axle_names);
    int i = __axle_named(name), known = i < 8 && __axle_semaphores[i].linked;
    if (known) __axle_semaphores[i].linked = 0;
    else errno = 2;
    pthread_mutex_unlock(&__axle_names);
    return known ? 0 : -1;
}
