/* The assertion fails after 400,000 steps of the first process. The others make the search so wide that a
   breadth-first search never gets there. */
int n;
byte a[4];
active proctype counter() {
  do
  :: n < 200000 -> n++
  :: else -> assert(false)
  od
}
active [4] proctype noise() {
  do
  :: a[_pid - 1] < 200 -> a[_pid - 1]++
  :: a[_pid - 1] > 0 -> a[_pid - 1]--
  od
}
