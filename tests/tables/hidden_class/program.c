int mode;

int main(void)
{
	mode = -2;
	mode = 0;
	return 0;
}
