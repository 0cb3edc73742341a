/* Conversions that overflow return the limit of the type and set errno. */
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>

int main(void)
{
    char *end;
    assert(strtol("99999999999999999999999", &end, 10) == LONG_MAX && errno == ERANGE && *end == 0);
    errno = 0;
    assert(strtol("-99999999999999999999999 ", &end, 10) == LONG_MIN && errno == ERANGE && *end == ' ');
    errno = 0;
    assert(strtoul("99999999999999999999999", 0, 10) == ULONG_MAX && errno == ERANGE);
    errno = 0;
    assert(strtoul("-1", 0, 10) == ULONG_MAX && errno == 0);
    assert(strtoul("-18446744073709551615", 0, 10) == 1 && errno == 0);
    assert(strtoll("-9223372036854775808", 0, 0) == LLONG_MIN && strtoll("0x7fffffffffffffff", 0, 0) == LLONG_MAX);
    assert(errno == 0 && strtol("z", 0, 36) == 35 && strtol("077", 0, 0) == 63);
    assert(strtol("7", 0, 1) == 0 && errno == EINVAL);
    assert(atoi(" -2147483648") == INT_MIN);
    return 0;
}
