#include <assert.h>
#include <pthread.h>
#include <stddef.h>
/* GNU: labels of a block in a macro that is used twice, casts to unions, arrays from literals, differences of labels. */
#define FIND(a, n, v) ({ __label__ found; int at = 0; for (; at < (n); at++) if ((a)[at] == (v)) goto found; at = -1; found: at; })
union u { int i; float f; void *p; };
struct s { char c; union u u; };
static int arr[4] = (int[4]){1, 2, 3};
int unk[] = (int[]){4, 5};
static int take(union u u) { return u.i; }
int main(void) {
  assert(FIND(arr, 4, 3) == 2 && FIND(arr, 4, 9) == -1);
  int x = 5;
  union u u = (union u)x;
  assert(u.i == 5);
  assert(take((union u)7) == 7 && ((union u)2.5f).f == 2.5f);
  struct s s; s.u = (union u)(void *)&x;
  assert(s.u.p == &x);
  assert(sizeof unk / sizeof *unk == 2 && unk[1] == 5 && arr[3] == 0);
  int n = 0;
  { __label__ l; void *t = &&l; goto *t; n = 100; l: n++; }
  { __label__ l; void *t = &&l; goto *t; n = 100; l: n++; }
  assert(n == 2);
  static const int offs[] = { &&a - &&a, &&b - &&a };
  goto *(&&a + offs[1]);
a: n = 50;
b: n++;
  assert(n == 3);
  return 0;
}
