/* The quotient of the minimum and -1 overflows, so the remainder is undefined too. */
#include <limits.h>

int main(int argc, char **argv) {
    int least = INT_MIN + (argc - 1);
    (void)argv;
    return least % -argc;
}
