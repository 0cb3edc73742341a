/* The violation is in the last of a million levels. */
int i;
byte a, b;
active proctype A() { do :: i < 500000 -> i++ :: else -> break od; assert(false) }
active proctype B() { a = 1; a = 2; a = 3 }
active proctype C() { b = 1; b = 2; b = 3 }
