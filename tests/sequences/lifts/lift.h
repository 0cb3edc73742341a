#ifndef LIFT_H
#define LIFT_H

#define LIFTS 2
#define FIFO 3

enum state { IDLE, MOVING, BOARDING };
enum event { EV_NONE, EV_CALL, EV_GO, EV_BUTTON, EV_FLOOR, EV_TIMER };
enum door { CLOSED, OPEN };

struct lift {
	enum state state;
	enum door door;
	unsigned char motor;
	unsigned char timer;
};

extern struct lift lift[LIFTS];
extern unsigned char pending;

void lift_post(unsigned char who, enum event what);
int lift_poll(void);

#endif
