/* The quotient of the least number and -1 does not fit, so the remainder has no value either. */
#include <limits.h>

int main(int argc, char **argv) {
    int least = INT_MIN + (argc - 1);
    (void)argv;
    return least % -argc;
}
