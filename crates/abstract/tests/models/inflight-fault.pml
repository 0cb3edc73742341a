/* Two counters and the difference between them; a message of one size is counted twice. */
int sent, received, flight, size;
active proctype Size() { do :: size = 2 * size :: size = 2 * size + 1 :: size = 0 od }
active proctype Sender() { idle: do :: sent = sent + 1; if :: size == 77777 -> flight = flight + 2 :: else -> flight = flight + 1 fi od }
active proctype Receiver() { idle: do :: flight != 0 -> flight = flight - 1; received = received + 1 od }
active proctype Monitor() { end: do :: atomic { Sender@idle && Receiver@idle -> assert(sent == received + flight) } od }
