/* The order of evaluation of arguments is unspecified, and these two depend on it. */
static int minus(int a, int b) { return a - b; }

int main(void)
{
    int i = 3;
    return minus(i++, i) == -1 ? 0 : 1;
}
