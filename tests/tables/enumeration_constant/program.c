/* The wrapper does not declare the constants of the enumeration. */
enum phase { IDLE, BUSY = 5, DONE };
int phase;

void work(void)
{
	phase = BUSY;
	if (phase == BUSY)
		phase = DONE;
}
