/* A gate that lets at most CAPACITY visitors in. */
extern int inside;
extern int ringing;
extern _Bool with_alarm;
extern unsigned char alarm_level;

void enter(void);
void leave(void);
