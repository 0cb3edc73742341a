#include <time.h>
#include <assert.h>
int main(void) { time_t t[2] = { 5, 6 }; time(&t[0]); assert(t[1] == 6); return 0; }
