/* <<A switch with three features.|A switch. It has three features.|A switch.
   It has three features.>> */
extern _Bool __VERIFIER_nondet_bool(void);

int limit_on, night_on, alarm_on;
int calls, ringing, logged, refused, tone<<|, unused>>;

/* <<The limit of calls.|Limits calls.>> */
static int may_call(void)
{
    if (limit_on && calls >= <<2|3|1 + 1>>) {
        refused = <<1|2>>;
        return 0;
    }
    return calls < 4;
}

<<static void never(void) { calls = 9; }|>>

/* At night calls are logged. */
static void ring(void)
{
    if (night_on) {
        <<logged = 1;|int old = logged; logged = !old ? 1 : old;|ringing = logged; logged = 1;>>
    } else {
        ringing = <<1|!0>>;
    }
}

static void alarm_tone(void)
{
    if (!alarm_on)
        return;
    tone = <<1|calls>>;
    if (calls > <<1|2>>)
        tone = <<0|1>>; <<|// quiet>>
}

static void hang_up(void)
{
    if (calls > 0)
        calls--;
    <<ringing = 0;|ringing = calls > 5;>>
    if (alarm_on && calls == 0)
        tone = <<0|calls>>;
}

int main(void)
{
    for (;;) {
        if (__VERIFIER_nondet_bool()) {
            if (may_call()) {
                calls++;
                ring();
                alarm_tone();
            }
        } else {
            hang_up();
        }
    }
}
