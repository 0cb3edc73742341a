/* Assignment of a structure to an overlapping object (C11 6.5.16.1p3). */
struct part { char c[4]; };

int main(void)
{
    union { char c[8]; struct part s; struct { char x; struct part s; } t; } u = { "abcdefg" };
    u.s = u.t.s;
    return 0;
}
