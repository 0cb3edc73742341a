/* A program may define functions with names of the C library and different types. */
#include <stdio.h>
#include <assert.h>
static int lines;
void log(const char *text) { lines++; printf("%s\n", text); }
void exp(int a, int b) { lines += a + b; }
float sqrtf(float);
double sin(double), round(double), atan2(double, double);
float fabsf(float);
int main(void)
{
    log("a");
    exp(1, 2);
    assert(lines == 4 && sqrtf(4.0f) == 2.0f && sin(0.0) == 0.0 && fabsf(-1.0f) == 1.0f);
    assert(round(2.5) == 3.0 && atan2(0.0, 1.0) == 0.0);
    return 0;
}
