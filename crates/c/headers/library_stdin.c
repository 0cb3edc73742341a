/* Standard input with fixed contents: the functions that read it, in place of those of library_input.c. The file that the contents
   are in defines `__axle_stdin_text` and `__axle_stdin_size`. One call reads without interruption, as the lock of a stream demands.
   Other streams have no contents: to read from one makes the verdict unknown. */
#include <stddef.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void *memcpy(void *, const void *, size_t);
void *realloc(void *, size_t);
void __axle_unsupported(const char *feature);
extern _Thread_local int errno;
extern char *stdin;
struct __axle_stream { int fd; };
extern struct __axle_stream __axle_files[3];
const char *__axle_take(const char *s, const char *f, __builtin_va_list list, int *result);

static unsigned long __axle_stdin_at;
static int __axle_stdin_ended;

static void __axle_only_stdin(const void *file)
{
    if (file != (const void *)&__axle_files[0] && file != (const void *)stdin) __axle_unsupported("reading a file other than standard input");
}
/* The next character, inside an atomic section. */
static int __axle_stdin_next(void)
{
    if (__axle_stdin_at == __axle_stdin_size) { __axle_stdin_ended = 1; return -1; }
    return (unsigned char)__axle_stdin_text[__axle_stdin_at++];
}
int getchar(void)
{
    __VERIFIER_atomic_begin();
    int c = __axle_stdin_next();
    __VERIFIER_atomic_end();
    return c;
}
int getchar_unlocked(void) { return getchar(); }
int getc(void *file) { __axle_only_stdin(file); return getchar(); }
int fgetc(void *file) { __axle_only_stdin(file); return getchar(); }
int getc_unlocked(void *file) { __axle_only_stdin(file); return getchar(); }
static int __axle_stdin_scan(const char *format, __builtin_va_list list)
{
    int result[2];
    __VERIFIER_atomic_begin();
    const char *from = __axle_stdin_text + __axle_stdin_at;
    const char *to = __axle_take(from, format, list, result);
    __axle_stdin_at += (unsigned long)(to - from);
    if (result[1] && __axle_stdin_at != __axle_stdin_size) __axle_unsupported("this conversion of `scanf`, or input of this form");
    if (result[1]) __axle_stdin_ended = 1;
    __VERIFIER_atomic_end();
    return result[0];
}
int scanf(const char *format, ...)
{
    __builtin_va_list list;
    __builtin_va_start(list, format);
    int n = __axle_stdin_scan(format, list);
    __builtin_va_end(list);
    return n;
}
int fscanf(void *file, const char *format, ...)
{
    __builtin_va_list list;
    __axle_only_stdin(file);
    __builtin_va_start(list, format);
    int n = __axle_stdin_scan(format, list);
    __builtin_va_end(list);
    return n;
}
char *fgets(char *line, int n, void *file)
{
    int at = 0, c = 0;
    __axle_only_stdin(file);
    __VERIFIER_atomic_begin();
    while (at < n - 1 && c != '\n' && (c = __axle_stdin_next()) >= 0) line[at++] = (char)c;
    if (at > 0) line[at] = 0;
    __VERIFIER_atomic_end();
    return at > 0 ? line : 0;
}
long getdelim(char **line, size_t *size, int end, void *file)
{
    __axle_only_stdin(file);
    __VERIFIER_atomic_begin();
    unsigned long from = __axle_stdin_at, length = 0;
    int c = -2;
    while (c != end && (c = __axle_stdin_next()) >= 0) length++;
    __VERIFIER_atomic_end();
    if (!length) return -1;
    if (!*line || *size < length + 1) {
        size_t most = length < 119 ? 120 : length + 1;
        char *block = realloc(*line, most);
        if (!block) { errno = 12; return -1; }
        *line = block;
        *size = most;
    }
    memcpy(*line, __axle_stdin_text + from, length);
    (*line)[length] = 0;
    return (long)length;
}
long getline(char **line, size_t *size, void *file) { return getdelim(line, size, '\n', file); }
int feof(void *file)
{
    __axle_only_stdin(file);
    __VERIFIER_atomic_begin();
    int ended = __axle_stdin_ended;
    __VERIFIER_atomic_end();
    return ended;
}
static size_t __axle_stdin_bytes(void *p, size_t n)
{
    __VERIFIER_atomic_begin();
    size_t left = __axle_stdin_size - __axle_stdin_at;
    if (n > left) { n = left; __axle_stdin_ended = 1; }
    if (n) memcpy(p, __axle_stdin_text + __axle_stdin_at, n);
    __axle_stdin_at += n;
    __VERIFIER_atomic_end();
    return n;
}
size_t fread(void *p, size_t size, size_t count, void *file)
{
    __axle_only_stdin(file);
    return size && count ? __axle_stdin_bytes(p, size * count) / size : 0;
}
long __axle_read_input(int fd, void *p, size_t n)
{
    if (fd) __axle_unsupported("reading a file other than standard input");
    return (long)__axle_stdin_bytes(p, n);
}
