/* A d_step must not block after its first statement; this one waits for a token that the other process may hold. */

bool token = true;
byte work;

active [2] proctype worker()
{
	d_step {
		work++;
		token;                  /* may be false here */
		token = false
	}
	token = true
}
