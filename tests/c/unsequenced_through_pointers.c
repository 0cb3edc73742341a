/* Two pointers to one object: which of the two comes first is not said. */
static int next(int *p, int *q) { return *p + (*q)++; }
int main(void)
{
    int x = 1, y = 2;
    int sum = next(&x, &y);
    return sum + next(&x, &x);
}
