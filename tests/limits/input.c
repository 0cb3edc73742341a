/* Input: 2^32 successors of one state, again and again. */
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int sum;
int main(void) {
    for (;;) {
        int x = __VERIFIER_nondet_int();
        sum = (int)((unsigned)sum * 31u + (unsigned)x);
        if (sum == 123456789) sum = 0;
    }
}
