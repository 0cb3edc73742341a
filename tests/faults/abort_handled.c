/* The handler of SIGABRT runs before abort() ends the program. */
#include <signal.h>
#include <stdlib.h>
#include <assert.h>
static void on(int s) { (void)s; assert(0); }
int main(void) { signal(SIGABRT, on); abort(); }
