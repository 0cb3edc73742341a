#include <stddef.h>
static int (*handler)(int);
int main(void) { return handler(3); }
