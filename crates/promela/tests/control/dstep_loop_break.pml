byte x, y;
active [2] proctype A() {
  d_step { do :: x < 5 -> x++; if :: x == 3 -> break :: else fi :: else -> break od; y++ };
  d_step { x = 0; do :: x < 2 -> x++ :: else -> break od }
}
