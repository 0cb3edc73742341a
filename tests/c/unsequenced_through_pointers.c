/* Unsequenced side effects through two pointers to one object. */
static int next(int *p, int *q) { return *p + (*q)++; }
int main(void)
{
    int x = 1, y = 2;
    int sum = next(&x, &y);
    return sum + next(&x, &x);
}
