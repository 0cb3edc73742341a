#include "gate.h"

extern _Bool __VERIFIER_nondet_bool(void);

int main(void)
{
    for (;;) {
        if (__VERIFIER_nondet_bool())
            enter();
        else
            leave();
    }
}
