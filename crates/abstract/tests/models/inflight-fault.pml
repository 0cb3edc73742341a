/* Two counters and the difference between them; a message of one size is counted twice. */
#define DIGITS(x) x = 8 * x :: x = 8 * x + 1 :: x = 8 * x + 2 :: x = 8 * x + 3 :: x = 8 * x + 4 :: x = 8 * x + 5 :: x = 8 * x + 6 :: x = 8 * x + 7
int sent, received, flight, size;
active proctype Size() { do :: DIGITS(size) :: size = 0 od }
active proctype Sender() { idle: do :: sent = sent + 1; if :: size == 1777777777 -> flight = flight + 2 :: else -> flight = flight + 1 fi od }
active proctype Receiver() { idle: do :: flight != 0 -> flight = flight - 1; received = received + 1 od }
active proctype Monitor() { end: do :: atomic { Sender@idle && Receiver@idle -> assert(sent == received + flight) } od }
