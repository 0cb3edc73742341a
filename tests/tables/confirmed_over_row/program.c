/* The table forgets the condition, but the program fails in this way too. */
#include <assert.h>
int level;

int main(void)
{
	level = 2;
	if (level > 1)
		assert(level == 1);
	return 0;
}
