/* An access one element beyond a variable-length array. */
static int last(int n)
{
    int squares[n];
    for (int i = 0; i <= n; i++)
        squares[i] = i * i;
    return squares[n - 1];
}

int main(void)
{
    return last(3);
}
