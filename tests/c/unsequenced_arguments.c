/* The order of arguments is nobody's promise, and these two need one. */
static int minus(int a, int b) { return a - b; }

int main(void)
{
    int i = 3;
    return minus(i++, i) == -1 ? 0 : 1;
}
