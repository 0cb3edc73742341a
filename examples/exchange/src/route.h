/* Digit analysis, and the treatment of incoming calls. */
#ifndef ROUTE_H
#define ROUTE_H

#include "exchange.h"

/* Digits that subscribers dial. */
enum { DIGIT_A = 1, DIGIT_B = 2, DIGIT_TRUNK = 9 };

enum treatment {
    PRESENT, /* ring the bell */
    WAIT,    /* present it with the call waiting tone */
    FORWARD, /* redirect it to the forward target */
    REFUSE   /* busy */
};

enum party analyse(int digit);
enum treatment screen(enum party callee, enum party caller);

#endif
