/* A valve bursts after a long climb of pressure, or if it is opened twice against it. */
extern _Bool __VERIFIER_nondet_bool(void);

int pressure, burst;

static void pump(void)
{
	for (int stroke = 0; stroke < 12; stroke++) {
		pressure++;
		pressure = pressure % 100;
	}
	if (pressure == 12)
		burst = 1;
}

static void force(void)
{
	_Bool first = __VERIFIER_nondet_bool();
	_Bool second = __VERIFIER_nondet_bool();

	if (first && second)
		burst = 1;
}

int main(void)
{
	if (__VERIFIER_nondet_bool())
		force();
	else
		pump();
	for (;;)
		;
}
