/* The flag `fast` of the project has the value 0 in the program, and each value under provisioning. */
#include <assert.h>
int fast;
int level;

int main(void)
{
	level = 1;
	if (fast)
		level = 2;
	assert(level == 1);
	return 0;
}
