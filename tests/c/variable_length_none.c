/* The product of two negative lengths is not a valid length. */
static int first(int n, int m)
{
    int a[n][m];
    a[0][0] = 0;
    return a[0][0];
}

int main(void)
{
    return first(-2, -2);
}
