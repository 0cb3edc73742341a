#include <limits.h>
int main(int argc, char **argv) { int d = -argc; return INT_MIN / d; }
