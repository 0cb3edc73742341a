/* A seed is no more than a seed. */
#include <stdlib.h>
#include <time.h>

int main(void)
{
	srand(time(NULL));
	return 0;
}
