/* An access one element beyond a row of variable length, but inside the array. */
static int last(int n, int m, int a[n][m])
{
    return a[0][m];
}

int main(void)
{
    int n = 2, m = 3;
    int a[n][m];
    for (int i = 0; i < n * m; i++)
        a[i / m][i % m] = i;
    return last(n, m, a);
}
