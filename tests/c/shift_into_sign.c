/* Shifting a 1 into the sign bit is undefined (C11 6.5.7p4). */
static int bit(int number) { return 1 << number; }

int main(void)
{
    int all = 0;
    for (int i = 0; i < 32; i++)
        all |= bit(i);
    return all == -1 ? 0 : 1;
}
