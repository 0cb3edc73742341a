/* The assertion fails after 400,000 steps of the last process. The others make the search so wide that a
   breadth-first search never gets there. */
int n;
byte a[4];
active [4] proctype noise() {
  do
  :: a[_pid] < 200 -> a[_pid]++
  :: a[_pid] > 0 -> a[_pid]--
  od
}
active proctype counter() {
  do
  :: n < 200000 -> n++
  :: else -> assert(false)
  od
}
