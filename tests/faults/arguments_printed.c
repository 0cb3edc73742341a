/* The name of the program and the number of arguments are printed and decide nothing. */
#include <stdio.h>
static void note(int count, char *name) { fprintf(stderr, "%s has %d\n", name, count); }
int main(int argc, char **argv) {
    (void)argc;
    printf("%s started with %d arguments\n", argv[0], argc);
    note(argc, argv[0]);
    return 0;
}
