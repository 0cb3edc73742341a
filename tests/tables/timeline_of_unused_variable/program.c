/* No process uses `spare`: only the timeline does. */
int level;
int spare;

void work(void)
{
	level = 1;
}
