/* The controller of a water tank. */
extern _Bool __VERIFIER_nondet_bool(void);

int has_alarm; /* feature: an alarm when the tank is full */
int level;     /* 0 is empty, 3 is full, 4 overflows */
int pump;      /* water flows in */
int alarm;
int hours[2];

static void control(void)
{
    if (has_alarm)
        alarm = level >= 3;
    if (level >= 3)
        pump = 0;
    else if (level == 0)
        pump = 1;
    hours[pump] = 1;
}

int main(void)
{
    for (;;) {
        if (pump && level < 4)
            level++;
        if (level > 0 && __VERIFIER_nondet_bool())
            level--;
        control();
    }
}
