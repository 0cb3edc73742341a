#include <stdarg.h>
static int second(int n, ...)
{
    va_list ap;
    va_start(ap, n);
    (void)va_arg(ap, int);
    int s = va_arg(ap, int);
    va_end(ap);
    return s;
}
int main(void) { return second(1, 5); }
