/* More of library.c: what is read, and numbers in texts. */
/* Input: numbers of any size, which arrive. That they do, and what lines may say, is a part of what may happen: to look at the
   process number makes the verdict unknown if there is no violation. */
int getpid(void);
int __VERIFIER_nondet_int(void);
long __VERIFIER_nondet_long(void);
short __VERIFIER_nondet_short(void);
char __VERIFIER_nondet_char(void);
_Bool __VERIFIER_nondet_bool(void);
static int __axle_scan(const char *format, __builtin_va_list list)
{
    int n = 0;
    if (getpid() < 0) return -1;
    for (; *format; format++) {
        if (*format != '%') continue;
        format++;
        if (*format == '%') continue;
        int size = 0;
        for (; *format == 'l' || *format == 'h'; format++) size += *format == 'l' ? 1 : -1;
        switch (*format) {
        case 'd': case 'i': case 'u': case 'x': case 'o':
            if (size > 0) *__builtin_va_arg(list, long *) = __VERIFIER_nondet_long();
            else if (size == 0) *__builtin_va_arg(list, int *) = __VERIFIER_nondet_int();
            else if (size == -1) *__builtin_va_arg(list, short *) = __VERIFIER_nondet_short();
            else *__builtin_va_arg(list, char *) = __VERIFIER_nondet_char();
            break;
        case 'c': *__builtin_va_arg(list, char *) = __VERIFIER_nondet_char(); break;
        default: __axle_unsupported("this conversion of `scanf`, or input of this form");
        }
        n++;
    }
    return n;
}
int scanf(const char *format, ...)
{
    __builtin_va_list list;
    __builtin_va_start(list, format);
    int n = __axle_scan(format, list);
    __builtin_va_end(list);
    return n;
}
int fscanf(void *file, const char *format, ...)
{
    __builtin_va_list list;
    (void)file;
    __builtin_va_start(list, format);
    int n = __axle_scan(format, list);
    __builtin_va_end(list);
    return n;
}
/* `sscanf`: whole numbers, characters, words, sets of characters. What else there is, and numbers that do not fit, which C
   leaves undefined, make the verdict unknown. `result`: the number of values stored, or -1 where the text ends before the first;
   and whether the end of the text was read. The answer is the rest of the text. */
static int __axle_in_set(const char *set, const char *end, int c)
{
    int found = 0, not = *set == '^';
    for (set += not; set < end; set++)
        if (set[1] == '-' && set + 2 < end) { found |= c >= (unsigned char)set[0] && c <= (unsigned char)set[2]; set += 2; }
        else found |= c == (unsigned char)*set;
    return found != not;
}
const char *__axle_take(const char *s, const char *f, __builtin_va_list list, int *result)
{
    const char *begin = s;
    int n = 0, ended = 0;
    for (; *f; f++) {
        if (isspace((unsigned char)*f)) { while (isspace((unsigned char)*s)) s++; ended = !*s; continue; }
        if (*f != '%') {
            if (*s != *f) { ended = !*s; n = *s || n ? n : -1; goto done; }
            s++;
            ended = 0;
            continue;
        }
        f++;
        int keep = *f != '*', width = 0, size = 0;
        if (!keep) f++;
        for (; isdigit((unsigned char)*f); f++) width = width * 10 + (*f - '0');
        for (; *f == 'l' || *f == 'h' || *f == 'z' || *f == 'j' || *f == 't'; f++) size += *f == 'h' ? -1 : 1;
        if (*f == 'n') {
            if (size) __axle_unsupported("this conversion of `scanf`, or input of this form");
            if (keep) *__builtin_va_arg(list, int *) = (int)(s - begin);
            continue;
        }
        if (*f != 'c' && *f != '[') while (isspace((unsigned char)*s)) s++;
        ended = !*s;
        if (ended) { n = n ? n : -1; goto done; }
        if (*f == '%') { if (*s != '%') goto done; s++; continue; }
        if (*f == 'c' || *f == 's' || *f == '[') {
            const char *set = f + 1, *end = set;
            if (size) __axle_unsupported("this conversion of `scanf`, or input of this form");
            if (*f == '[') {
                if (*end == '^') end++;
                if (*end == ']') end++;
                while (*end && *end != ']') end++;
            }
            char *to = keep ? __builtin_va_arg(list, char *) : 0;
            int most = width ? width : *f == 'c' ? 1 : 2147483647, got = 0;
            for (; got < most && *s; s++, got++) {
                if (*f == 's' && isspace((unsigned char)*s)) break;
                if (*f == '[' && !__axle_in_set(set, end, (unsigned char)*s)) break;
                if (to) to[got] = *s;
            }
            if (*f == 'c' && got < most) __axle_unsupported("this conversion of `scanf`, or input of this form");
            ended = got < most && !*s;
            if (!got) goto done;
            if (to && *f != 'c') to[got] = 0;
            if (*f == '[') f = *end ? end : end - 1;
        } else if (*f == 'd' || *f == 'i' || *f == 'u' || *f == 'x' || *f == 'X' || *f == 'o') {
            int base = *f == 'o' ? 8 : *f == 'x' || *f == 'X' ? 16 : *f == 'i' ? 0 : 10, minus = 0, any = 0;
            int left = width ? width : 2147483647;
            unsigned long long v = 0;
            if (*s == '-' || *s == '+') { minus = *s++ == '-'; left--; }
            if ((base == 0 || base == 16) && left > 1 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X')) {
                if (left < 3 || !isxdigit((unsigned char)s[2])) __axle_unsupported("this conversion of `scanf`, or input of this form");
                s += 2;
                left -= 2;
                base = 16;
            }
            if (base == 0) base = *s == '0' ? 8 : 10;
            for (; left > 0; s++, left--, any = 1) {
                int c = (unsigned char)*s, d;
                if (isdigit(c)) d = c - '0'; else if (isxdigit(c)) d = tolower(c) - 'a' + 10; else break;
                if (d >= base) break;
                if (v > (-1ull - d) / base) __axle_unsupported("this conversion of `scanf`, or input of this form");
                v = v * base + d;
            }
            ended = left > 0 && !*s;
            if (!any) goto done;
            if (keep) {
                int is_signed = *f == 'd' || *f == 'i';
                unsigned long long most = size > 1 ? -1ull : size > 0 ? -1ul : size == 0 ? -1u : size == -1 ? 65535 : 255;
                if (is_signed ? v > (most >> 1) + minus : v > most) __axle_unsupported("this conversion of `scanf`, or input of this form");
                if (minus) v = -v;
                if (size > 1) *__builtin_va_arg(list, unsigned long long *) = v;
                else if (size > 0) *__builtin_va_arg(list, unsigned long *) = (unsigned long)v;
                else if (size == 0) *__builtin_va_arg(list, unsigned *) = (unsigned)v;
                else if (size == -1) *__builtin_va_arg(list, unsigned short *) = (unsigned short)v;
                else *__builtin_va_arg(list, unsigned char *) = (unsigned char)v;
            }
        } else __axle_unsupported("this conversion of `scanf`, or input of this form");
        n += keep;
    }
done:
    result[0] = n;
    result[1] = ended;
    return s;
}
int sscanf(const char *text, const char *format, ...)
{
    __builtin_va_list list;
    int result[2];
    __builtin_va_start(list, format);
    __axle_take(text, format, list, result);
    __builtin_va_end(list);
    return result[0];
}
int vsscanf(const char *text, const char *format, __builtin_va_list list)
{
    int result[2];
    __axle_take(text, format, list, result);
    return result[0];
}
char *fgets(char *line, int n, void *file)
{
    (void)file;
    if (getpid() < 0 || n < 3 || !__VERIFIER_nondet_bool()) return 0;
    return strcpy(line, "1\n");
}
void *realloc(void *, size_t);
long getdelim(char **line, size_t *size, int end, void *file)
{
    (void)file;
    if (getpid() < 0 || !__VERIFIER_nondet_bool()) return -1;
    if (!*line || *size < 3) {
        char *block = realloc(*line, 120);
        if (!block) { errno = 12; return -1; }
        *line = block;
        *size = 120;
    }
    (*line)[0] = '1';
    (*line)[1] = (char)end;
    (*line)[2] = 0;
    return 2;
}
long getline(char **line, size_t *size, void *file) { return getdelim(line, size, '\n', file); }
int vsnprintf(char *, size_t, const char *, __builtin_va_list);
int vasprintf(char **to, const char *format, __builtin_va_list list)
{
    __builtin_va_list again;
    __builtin_va_copy(again, list);
    int n = vsnprintf(0, 0, format, again);
    __builtin_va_end(again);
    if (n < 0 || !(*to = malloc(n + 1ul))) return -1;
    return vsnprintf(*to, n + 1ul, format, list);
}
int asprintf(char **to, const char *format, ...)
{
    __builtin_va_list list;
    __builtin_va_start(list, format);
    int n = vasprintf(to, format, list);
    __builtin_va_end(list);
    return n;
}
/* Decimal numbers that one division or multiplication gives exactly (Clinger, PLDI 1990); no others. */
double strtod(const char *s, char **end)
{
    const char *start = s;
    unsigned long long v = 0;
    int any = 0, tens = 0, minus = 0, how = 0;
    while (isspace((unsigned char)*s)) s++;
    if (*s == '+' || *s == '-') minus = *s++ == '-';
    if (*s == 'i' || *s == 'I' || *s == 'n' || *s == 'N' || (*s == '0' && (s[1] == 'x' || s[1] == 'X'))) __axle_unsupported("a number in a text that is hexadecimal, infinite or not exactly representable (`strtod`)");
    for (; isdigit((unsigned char)*s) || (*s == '.' && !how); s++) {
        if (*s == '.') { how = 1; continue; }
        any = 1;
        if (v > 900719925474098ull) __axle_unsupported("a number in a text that is hexadecimal, infinite or not exactly representable (`strtod`)");
        v = v * 10 + (*s - '0');
        tens -= how;
    }
    if (!any) { if (end) *end = (char *)start; return 0; }
    if (*s == 'e' || *s == 'E') {
        const char *at = s + 1;
        int less = 0, e = 0;
        if (*at == '+' || *at == '-') less = *at++ == '-';
        if (isdigit((unsigned char)*at)) {
            for (; isdigit((unsigned char)*at); at++) if (e < 1000) e = e * 10 + (*at - '0');
            tens += less ? -e : e;
            s = at;
        }
    }
    if (end) *end = (char *)s;
    if (v && (tens > 22 || tens < -22)) __axle_unsupported("a number in a text that is hexadecimal, infinite or not exactly representable (`strtod`)");
    double d = (double)v, scale = 1;
    for (int i = tens < 0 ? -tens : tens; v && i > 0; i--) scale *= 10;
    d = tens < 0 ? d / scale : d * scale;
    return minus ? -d : d;
}
double atof(const char *s) { return strtod(s, 0); }
/* Files are there or not. What is written to one goes nowhere, and reading finds what input may be: restrictions again. */
static struct { int fd[3]; } __axle_file;
void *fopen(const char *name, const char *how)
{
    __axle_read(name, strlen(name) + 1);
    __axle_read(how, strlen(how) + 1);
    return getpid() < 0 || !__VERIFIER_nondet_bool() ? 0 : (void *)&__axle_file.fd[2];
}
int fclose(void *file) { (void)file; return 0; }
int feof(void *file) { (void)file; return getpid() < 0 || __VERIFIER_nondet_bool(); }
int ferror(void *file) { (void)file; return 0; }
void clearerr(void *file) { (void)file; }
void rewind(void *file) { (void)file; }
int fseek(void *file, long at, int from) { (void)file; (void)at; (void)from; return getpid() < 0 ? -1 : 0; }
long ftell(void *file) { (void)file; return getpid() < 0 || !__VERIFIER_nondet_bool() ? 0 : 1; }
int fileno(const int *file) { return *file; }
size_t fread(void *p, size_t size, size_t count, void *file)
{
    (void)file;
    if (getpid() < 0 || !size || !count || !__VERIFIER_nondet_bool()) return 0;
    memset(p, '1', size);
    return 1;
}
char *getenv(const char *name) { (void)name; return getpid() < 0 ? (char *)"" : 0; }
