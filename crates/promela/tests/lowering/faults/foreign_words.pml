byte x;
init {
  do
  :: x < 3 -> x++; continue //~ E0301
  :: else -> break
  od;
  var.field = 3 //~ E0301
}
