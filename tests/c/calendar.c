/* Calendar dates and floating-point conversions of the library. */
#define _GNU_SOURCE
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int main(void) {
    const time_t times[] = { 0, 951782400, 1735689599, -86401, 4102444800, 68169600 };
    const char *wanted[] = { "1970-01-01 00:00:00 Thu Jan 001", "2000-02-29 00:00:00 Tue Feb 060",
                             "2024-12-31 23:59:59 Tue Dec 366", "1969-12-30 23:59:59 Tue Dec 364",
                             "2100-01-01 00:00:00 Fri Jan 001", "1972-02-29 00:00:00 Tue Feb 060" };
    char text[64], *rest;
    for (int i = 0; i < 6; i++) {
        struct tm parts;
        strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S %a %b %j", gmtime_r(&times[i], &parts));
        assert(strcmp(text, wanted[i]) == 0);
        assert(timegm(&parts) == times[i]);
    }
    struct tm beyond = { .tm_year = 124, .tm_mon = 13, .tm_mday = 31, .tm_hour = 25 };
    assert(timegm(&beyond) == 1741050000);
    assert(strftime(text, 5, "%Y-", &beyond) == 0 && strftime(text, 6, "%Y-", &beyond) == 5);
    assert(strtod("3.25xyz", &rest) == 3.25 && strcmp(rest, "xyz") == 0);
    assert(strtod(" -0.1e1", &rest) == -1.0 && *rest == 0);
    assert(strtod("1e", &rest) == 1.0 && strcmp(rest, "e") == 0);
    assert(strtod(".", &rest) == 0.0 && *rest == '.');
    assert(atof("123456.789") == 123456.789 && atof("2.5e-3") == 2.5e-3);
    return 0;
}
