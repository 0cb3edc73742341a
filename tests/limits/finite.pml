/* Four million states: certificates of a model that can be searched to its end. */
int a, b;
active proctype A() { do :: a < 2000 -> a++ :: else -> break od }
active proctype B() { do :: b < 2000 -> b++ :: else -> break od }
