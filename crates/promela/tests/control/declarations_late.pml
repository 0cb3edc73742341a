byte x;
active [2] proctype A() { byte a = x; x++; byte b = a + x; byte c; byte d[2]; do :: x < 3 -> byte e; e++; x = x + e :: else -> break od; c = b }
