/* More of library.c: pipes, files, mappings, futexes, locks of streams. */
/* Pipes: what is written comes out in order. Each piece is a block of its own; who reads takes what there is. */
struct __axle_lock { int life, kind, count; void *owner; };
struct __axle_piece { struct __axle_piece *next; size_t size, at; char bytes[]; };
static struct __axle_pipe {
    struct __axle_lock lock;
    int ready, made, reads, writes;
    size_t held;
    struct __axle_piece *first, *last;
} __axle_pipes[16];
static struct __axle_lock __axle_pipes_lock;
int pthread_mutex_lock(void *);
int pthread_mutex_unlock(void *);
int pthread_cond_wait(void *, void *);
int pthread_cond_timedwait(void *, void *, const void *);
int pthread_cond_broadcast(void *);
void free(void *);
static struct __axle_pipe *__axle_pipe_of(int fd) { return fd >= 10 && fd < 42 ? &__axle_pipes[(fd - 10) / 2] : 0; }
int pipe(int fd[2])
{
    int i = 0;
    pthread_mutex_lock(&__axle_pipes_lock);
    while (i < 16 && __axle_pipes[i].made) i++;
    if (i == 16) __axle_unsupported("more than 16 pipes");
    __axle_pipes[i].made = __axle_pipes[i].reads = __axle_pipes[i].writes = 1;
    pthread_mutex_unlock(&__axle_pipes_lock);
    fd[0] = 10 + 2 * i;
    fd[1] = 11 + 2 * i;
    return 0;
}
int pipe2(int fd[2], int how) { if (how & 04000) __axle_unsupported("pipes that do not block (O_NONBLOCK)"); return pipe(fd); }
/* Without a reader there is a signal. A pipe of Linux holds 65536 bytes; whether a longer write blocks is unspecified. */
static long __axle_pipe_write(struct __axle_pipe *pipe, const void *p, size_t n)
{
    struct __axle_piece *piece = n ? malloc(sizeof *piece + n) : 0;
    if (!n) return 0;
    if (!piece) __axle_unsupported("a pipe without memory for its contents");
    memcpy(piece->bytes, p, n);
    piece->size = n;
    piece->at = 0;
    piece->next = 0;
    pthread_mutex_lock(&pipe->lock);
    if (!pipe->reads || !pipe->writes || pipe->held + n > 65536) __axle_unsupported("writing to a pipe that has no reader, or more than 65536 bytes");
    pipe->held += n;
    if (pipe->first) pipe->last->next = piece; else pipe->first = piece;
    pipe->last = piece;
    pthread_cond_broadcast(&pipe->ready);
    pthread_mutex_unlock(&pipe->lock);
    return (long)n;
}
static void __axle_pipe_let_go(void *lock) { pthread_mutex_unlock(lock); }
static long __axle_pipe_read(struct __axle_pipe *pipe, char *p, size_t n)
{
    size_t got = 0;
    struct __axle_cleanup handler;
    pthread_mutex_lock(&pipe->lock);
    if (!pipe->reads) __axle_unsupported("reading from a pipe whose end was closed");
    __axle_cleanup_push(&handler, __axle_pipe_let_go, &pipe->lock);
    while (n && !pipe->first && pipe->writes) pthread_cond_wait(&pipe->ready, &pipe->lock);
    while (got < n && pipe->first) {
        struct __axle_piece *piece = pipe->first;
        size_t some = piece->size - piece->at;
        if (some > n - got) some = n - got;
        memcpy(p + got, piece->bytes + piece->at, some);
        piece->at += some;
        got += some;
        pipe->held -= some;
        if (piece->at == piece->size) { pipe->first = piece->next; free(piece); }
    }
    __axle_cleanup_pop(&handler, 1);
    return (long)got;
}
/* What is below zero is no file; of the others we say nothing. */
static int __axle_no_file(int fd) { if (fd < 0) errno = 9; return fd < 0; }
long write(int fd, const void *p, size_t n)
{
    pthread_testcancel();
    if (__axle_no_file(fd)) return -1;
    if (fd < 10) { __axle_read(p, n); return (long)n; }
    struct __axle_pipe *pipe = __axle_pipe_of(fd);
    if (!pipe || !(fd & 1)) __axle_unsupported("writing to a file that is not open for it");
    return __axle_pipe_write(pipe, p, n);
}
/* What is no pipe is read like input, a byte at a time, or has come to its end. */
_Bool __VERIFIER_nondet_bool(void);
long __axle_read_input(int fd, void *p, size_t n);
long __axle_read_input(int fd, void *p, size_t n)
{
    (void)fd;
    if (getpid() < 0 || !n || !__VERIFIER_nondet_bool()) return 0;
    *(char *)p = '1';
    return 1;
}
long read(int fd, void *p, size_t n)
{
    pthread_testcancel();
    if (__axle_no_file(fd)) return -1;
    if (fd < 10) return __axle_read_input(fd, p, n);
    struct __axle_pipe *pipe = __axle_pipe_of(fd);
    if (!pipe || fd & 1) __axle_unsupported("reading from a file that is not open for it");
    return __axle_pipe_read(pipe, p, n);
}
int close(int fd)
{
    pthread_testcancel();
    if (__axle_no_file(fd)) return -1;
    struct __axle_pipe *pipe = __axle_pipe_of(fd);
    if (!pipe) return 0;
    pthread_mutex_lock(&pipe->lock);
    int open = fd & 1 ? pipe->writes : pipe->reads;
    if (fd & 1) pipe->writes = 0; else pipe->reads = 0;
    pthread_cond_broadcast(&pipe->ready);
    pthread_mutex_unlock(&pipe->lock);
    if (!open) errno = 9;
    return open ? 0 : -1;
}
int open(const char *name, int how, ...)
{
    (void)how;
    pthread_testcancel();
    __axle_read(name, strlen(name) + 1);
    if (getpid() >= 0 && __VERIFIER_nondet_bool()) return 3;
    errno = 2;
    return -1;
}
int creat(const char *name, unsigned mode) { (void)mode; return open(name, 1); }
/* Whether there is such a file, and what may be done with it: a restriction, as with `fopen`. */
static int __axle_of_file(const char *name)
{
    __axle_read(name, strlen(name) + 1);
    if (getpid() >= 0 && __VERIFIER_nondet_bool()) return 0;
    errno = 2;
    return -1;
}
int unlink(const char *name) { return __axle_of_file(name); }
int remove(const char *name) { return __axle_of_file(name); }
int access(const char *name, int how) { (void)how; return __axle_of_file(name); }
int mkdir(const char *name, unsigned mode) { (void)mode; return __axle_of_file(name); }
int rename(const char *from, const char *to) { __axle_read(to, strlen(to) + 1); return __axle_of_file(from); }
int isatty(int fd) { (void)fd; return getpid() >= 0 && __VERIFIER_nondet_bool(); }
int fsync(int fd) { pthread_testcancel(); return -__axle_no_file(fd); }
int system(const char *command) { pthread_testcancel(); if (command) __axle_read(command, strlen(command) + 1); return getpid() < 0; }
/* An anonymous mapping is memory, freed when all of it is unmapped. */
static struct __axle_map { char *at; size_t size; struct __axle_map *next; } *__axle_maps;
static struct __axle_lock __axle_maps_lock;
void *calloc(size_t, size_t);
void *mmap(void *at, size_t size, int access, int how, int fd, long from)
{
    (void)at;
    (void)from;
    if (!(how & 32) || how & 16 || (access & 3) != 3 || fd >= 0 || !size) __axle_unsupported("a mapping other than of private or shared anonymous memory that is read and written");
    struct __axle_map *map = malloc(sizeof *map);
    char *block = calloc(1, size);
    if (!map || !block) { free(map); free(block); errno = 12; return (void *)-1; }
    map->at = block;
    map->size = size;
    pthread_mutex_lock(&__axle_maps_lock);
    map->next = __axle_maps;
    __axle_maps = map;
    pthread_mutex_unlock(&__axle_maps_lock);
    return block;
}
int munmap(void *at, size_t size)
{
    pthread_mutex_lock(&__axle_maps_lock);
    struct __axle_map **link = &__axle_maps, *map;
    while (*link && ((*link)->at != at || (*link)->size != size)) link = &(*link)->next;
    map = *link;
    if (!map) __axle_unsupported("a part of a mapping (`munmap` of what `mmap` did not return)");
    *link = map->next;
    pthread_mutex_unlock(&__axle_maps_lock);
    free(map->at);
    free(map);
    return 0;
}
/* Linux's futex, without cancellation: a thread that reads the expected value sleeps until it is woken, or spuriously. Which waiting thread is
   woken is unspecified. A thread that returns counts as woken if some woken thread has not returned. */
static struct __axle_futex { struct __axle_lock lock; int ready, waiting, woken; int *of; } __axle_futexes[16];
static struct __axle_lock __axle_futexes_lock;
int pthread_cond_signal(void *);
static struct __axle_futex *__axle_futex_of(int *at)
{
    int i = 0;
    pthread_mutex_lock(&__axle_futexes_lock);
    while (i < 16 && __axle_futexes[i].of && __axle_futexes[i].of != at) i++;
    if (i == 16) __axle_unsupported("more than 16 futexes");
    __axle_futexes[i].of = at;
    pthread_mutex_unlock(&__axle_futexes_lock);
    return &__axle_futexes[i];
}
static long __axle_futex_wait(int *at, int expected, const void *until)
{
    struct __axle_futex *futex = __axle_futex_of(at);
    long result = 0;
    int was = __axle_cancel_state(1);
    pthread_mutex_lock(&futex->lock);
    if (__atomic_load_n(at, 5) != expected) { errno = 11; result = -1; }
    else {
        futex->waiting++;
        if (!until) pthread_cond_wait(&futex->ready, &futex->lock);
        else if (pthread_cond_timedwait(&futex->ready, &futex->lock, until)) { errno = 110; result = -1; }
        if (futex->woken) futex->woken--; else futex->waiting--;
    }
    pthread_mutex_unlock(&futex->lock);
    __axle_cancel_state(was);
    return result;
}
static long __axle_futex_wake(int *at, int count)
{
    struct __axle_futex *futex = __axle_futex_of(at);
    pthread_mutex_lock(&futex->lock);
    int woken = futex->waiting < count ? futex->waiting : count;
    if (woken == futex->waiting) pthread_cond_broadcast(&futex->ready);
    else for (int i = 0; i < woken; i++) pthread_cond_signal(&futex->ready);
    futex->waiting -= woken;
    futex->woken += woken;
    pthread_mutex_unlock(&futex->lock);
    return woken;
}
long syscall(long number, ...)
{
    long result = -1;
    __builtin_va_list list;
    if (number == 186 || number == 224) return gettid();
    if (number != 202 && number != 240) __axle_unsupported("a system call other than `gettid` and `futex` (`syscall`)");
    __builtin_va_start(list, number);
    int *at = __builtin_va_arg(list, int *), what = __builtin_va_arg(list, int) & 127, count = __builtin_va_arg(list, int);
    if (what == 0) result = __axle_futex_wait(at, count, __builtin_va_arg(list, const void *));
    else if (what == 1) result = __axle_futex_wake(at, count);
    else __axle_unsupported("a futex operation other than waiting and waking");
    __builtin_va_end(list);
    return result;
}
/* Streams have locks that the same thread may take again, and that it alone may release (the kind is that of C11's). */
static struct __axle_lock __axle_stream_locks[4] = { { 0, 0x100001 }, { 0, 0x100001 }, { 0, 0x100001 }, { 0, 0x100001 } };
struct __axle_stream { int fd; };
extern struct __axle_stream __axle_files[3];
static void *__axle_stream_lock(void *file)
{
    int i = 0;
    while (i < 3 && file != &__axle_files[i]) i++;
    return &__axle_stream_locks[i];
}
void flockfile(void *file) { pthread_mutex_lock(__axle_stream_lock(file)); }
int pthread_mutex_trylock(void *);
int ftrylockfile(void *file) { return pthread_mutex_trylock(__axle_stream_lock(file)); }
void funlockfile(void *file) { pthread_mutex_unlock(__axle_stream_lock(file)); }
