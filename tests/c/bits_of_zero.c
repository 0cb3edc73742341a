/* The number of leading zeros of zero is undefined; the mask should have been checked first. */
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned mask = __VERIFIER_nondet_uint() & 6;
    return 31 - __builtin_clz(mask);
}
