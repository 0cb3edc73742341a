/* The increment and the assignment both change `i` and are unsequenced. */
int main(void)
{
    int i = 1;
    i = i++ + 1;
    return i == 2 ? 0 : 1;
}
