/* The building: people press buttons, and the hardware reports. */
#include "lift.h"

extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int condition);

static void hardware(unsigned char who)
{
	if (lift[who].motor)
		lift_post(who, EV_FLOOR);
	else if (lift[who].timer)
		lift_post(who, EV_TIMER);
}

int main(void)
{
	for (;;) {
		unsigned char who = __VERIFIER_nondet_uchar();

		__VERIFIER_assume(who < LIFTS);
		if (__VERIFIER_nondet_bool())
			lift_post(who, EV_CALL);
		else if (__VERIFIER_nondet_bool())
			lift_post(who, EV_BUTTON);
		else
			hardware(who);
		while (lift_poll())
			;
	}
}
