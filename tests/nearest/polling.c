/* Polling may go on forever. */
extern int __VERIFIER_nondet_int(void);

int polls, done;

int main(void)
{
    while (__VERIFIER_nondet_int())
        polls = 1 - polls;
    done = 1;
    return 0;
}
