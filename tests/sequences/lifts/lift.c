/*
 * lift.c - group controller for the two lifts of a small office building.
 *
 * One controller task handles all events.  Hall calls are assigned to a
 * lift when they arrive; each lift is a little state machine of its own.
 */
#include "lift.h"

struct lift lift[LIFTS];

/* pending events, oldest first */
static struct { unsigned char who; enum event what; } fifo[FIFO];
unsigned char pending;

void lift_post(unsigned char who, enum event what)
{
	if (pending == FIFO)
		return;			/* the panel repeats itself */
	fifo[pending].who = who;
	fifo[pending].what = what;
	pending++;
}

static void door_open(struct lift *l)
{
	l->door = OPEN;
	l->timer = 1;
}

static void door_close(struct lift *l)
{
	l->door = CLOSED;
	l->timer = 0;
}

static void motor_start(struct lift *l)
{
	l->motor = 1;
}

static void motor_stop(struct lift *l)
{
	l->motor = 0;
}

/* The nearest idle lift takes the call. */
static void assign(void)
{
	unsigned char i;

	for (i = 0; i < LIFTS; i++) {
		if (lift[i].state == IDLE) {
			lift_post(i, EV_GO);
			return;
		}
	}
}

static void lift_event(unsigned char self, enum event ev)
{
	struct lift *l = &lift[self];

	switch (l->state) {
	case IDLE:
		if (ev == EV_GO) {
			motor_start(l);
			l->state = MOVING;
		} else if (ev == EV_BUTTON) {
			door_open(l);
			l->state = BOARDING;
		}
		break;
	case MOVING:
		if (ev == EV_FLOOR) {
			motor_stop(l);
			door_open(l);
			l->state = BOARDING;
		}
#ifdef FAULT
		else if (ev == EV_BUTTON) {
			/* do not make them wait for a second one */
			door_open(l);
		}
#endif
		break;
	case BOARDING:
		if (ev == EV_TIMER) {
			door_close(l);
			l->state = IDLE;
		} else if (ev == EV_BUTTON) {
			l->timer = 1;
		}
		break;
	}
}

/* Called from the main loop. */
int lift_poll(void)
{
	unsigned char i, who;
	enum event what;

	if (!pending)
		return 0;
	who = fifo[0].who;
	what = fifo[0].what;
	pending--;
	for (i = 0; i < pending; i++)
		fifo[i] = fifo[i + 1];
	fifo[pending].who = 0;
	fifo[pending].what = EV_NONE;
	if (what == EV_CALL)
		assign();
	else
		lift_event(who, what);
	return 1;
}
