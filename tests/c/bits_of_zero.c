/* The leading zeros of zero are not defined, which a look at a mask before would have seen. */
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned mask = __VERIFIER_nondet_uint() & 6;
    return 31 - __builtin_clz(mask);
}
