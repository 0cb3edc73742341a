/* Functions that the checker provides. */
#ifndef VERIFIER_H
#define VERIFIER_H

extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int condition);

#endif
