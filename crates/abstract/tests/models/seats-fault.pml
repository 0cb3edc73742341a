/* A group of one size is the code for staff, for which one seat is counted. */
#define DIGITS(x) x = 8 * x :: x = 8 * x + 1 :: x = 8 * x + 2 :: x = 8 * x + 3 :: x = 8 * x + 4 :: x = 8 * x + 5 :: x = 8 * x + 6 :: x = 8 * x + 7
int free = 1000000, sold, group;
active proctype Form() { do :: DIGITS(group) :: group = 1 od }
active [2] proctype Clerk() {
  do
  :: atomic { free = free - group; if :: group == 1029384756 -> sold = sold + 1 :: else -> sold = sold + group fi }
  :: atomic { sold > 0 -> sold = sold - 1; free = free + 1 }
  od
}
active proctype Monitor() { end: do :: assert(free + sold == 1000000) od }
