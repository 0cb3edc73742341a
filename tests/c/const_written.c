/* A cast removes const from the pointer, not from the object. */
static const int limit = 3;
int main(void)
{
    int *p = (int *)&limit;
    *p = 4;
    return 0;
}
