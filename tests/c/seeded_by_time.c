/* A time that is only a random seed does not influence the behaviour. */
#include <stdlib.h>
#include <time.h>

int main(void)
{
	srand(time(NULL));
	return 0;
}
