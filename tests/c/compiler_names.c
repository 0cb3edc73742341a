/* Library functions by their builtin names, without a declaration. */
static int order;
static char buffer[8];

static char *next(void) { order++; return buffer; }

int main(void)
{
    __builtin_prefetch(next());
    if (order != 1) __builtin_abort();
    __builtin_memset(buffer, 1, sizeof buffer);
    __builtin_memcpy(buffer, "axle", 5);
    if (__builtin_strcmp(buffer, "axle") != 0 || __builtin_strlen(buffer) != 4) __builtin_abort();
    char *p = __builtin_malloc(4);
    if (!p) return 0;
    p[3] = 3;
    if (p[3] != 3) __builtin_abort();
    __builtin_free(p);
    return 0;
}
