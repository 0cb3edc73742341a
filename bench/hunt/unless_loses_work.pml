/* An escape of `unless` interrupts a transfer between its two halves. */
byte from = 10, to; bool alarm;
active proctype mover() { do :: { from > 0 -> from--; to++ } unless { alarm -> alarm = false } :: from == 0 -> break od; assert(to == 10) }
active proctype bell() { byte n; do :: n < 12 -> n++; alarm = true :: else -> break od }
