/* The returns of functions that end in a loop or a `switch` are shown with no statement of them. */
#include <assert.h>
static int n, sum;
static void add(int most) {
    for (int i = 0; i < most; i++)
        sum += i;
}
static void choose(int k) {
    switch (k) {
    case 1: n = 1; break;
    default: n = 9;
    }
}
static void nested(int k) {
    while (k > 0) {
        if (k > 100) {
            n = 50;
        }
        k--;
    }
}
int main(void) {
    add(0);
    choose(1);
    nested(1);
    assert(n == 0);
}
