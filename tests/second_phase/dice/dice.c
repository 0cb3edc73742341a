/* One of 64 numbers is wrong, or three times heads are. */
#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int condition);

static const char wrong[64] = { [17] = 1 };

static void check(int bad)
{
	assert(!bad);
}

int main(void)
{
	if (__VERIFIER_nondet_bool()) {
		unsigned char number = __VERIFIER_nondet_uchar();

		__VERIFIER_assume(number < 64);
		check(wrong[number]);
	} else {
		_Bool first = __VERIFIER_nondet_bool();
		_Bool second = __VERIFIER_nondet_bool();
		_Bool third = __VERIFIER_nondet_bool();

		check(first && second && third);
	}
	return 0;
}
