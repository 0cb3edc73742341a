/* The index is read and incremented, unsequenced, only if the condition is true. */
int main(void)
{
    int a[3] = { 0, 0, 0 }, i = 0;
    for (int round = 0; round < 2; round++)
        a[i] = round ? i++ : 0;
    return a[0];
}
