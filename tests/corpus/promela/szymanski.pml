// Szymanski's algorithm, 1988
#define N 3

byte flag[N];
byte cs;

#define ALL(cond) ((cond(0)) && (cond(1)) && (cond(2)))
#define lt3(k)  (flag[k] < 3)
#define not1(k) (flag[k] != 1)
#define ANY4    (flag[0] == 4 || flag[1] == 4 || flag[2] == 4)
#define lowok(k) (k >= i || flag[k] < 2)
#define highok(k) (k <= i || flag[k] < 2 || flag[k] > 3)

active [N] proctype user() {
  byte i = _pid;
non_critical:
  flag[i] = 1;
  ALL(lt3);
  flag[i] = 3;
  if
  :: flag[0] == 1 || flag[1] == 1 || flag[2] == 1 ->
       flag[i] = 2;
       ANY4
  :: else -> skip
  fi;
  flag[i] = 4;
  (lowok(0) && lowok(1) && lowok(2));
  cs++;
  assert(cs == 1);
  cs--;
  (highok(0) && highok(1) && highok(2));
  flag[i] = 0;
  goto non_critical
}
