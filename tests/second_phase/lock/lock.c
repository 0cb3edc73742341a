/* A lock opens for one of 64 keys, or after three lucky throws of a coin. */
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int condition);

int key, open;

static const char opens[64] = { [17] = 1 };

int main(void)
{
	if (__VERIFIER_nondet_bool()) {
		key = __VERIFIER_nondet_uchar();
		__VERIFIER_assume(key < 64);
		if (opens[key])
			open = 1;
	} else {
		_Bool first = __VERIFIER_nondet_bool();
		_Bool second = __VERIFIER_nondet_bool();
		_Bool third = __VERIFIER_nondet_bool();

		if (first && second && third)
			open = 2;
	}
	for (;;)
		;
}
