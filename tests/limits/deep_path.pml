/* Depth-first search reaches depths of millions, breadth-first search stays in narrow levels. */
int i;
byte z;
active proctype A() { do :: i = i + 1; assert(i != -7 || z != 3) od }
active proctype B() { do :: z = 1 - z od }
