#include "gate.h"

int inside;
int ringing;
_Bool with_alarm;
unsigned char alarm_level = 1;

void enter(void)
{
    if (inside < CAPACITY)
        inside++;
    else if (with_alarm && alarm_level > 0)
        ringing = 1;
}

void leave(void)
{
    if (inside > 0)
        inside--;
}
