/* Two counters and the difference between them are updated in separate steps; between the steps of both, they agree. */
int sent, received, flight;
active proctype Sender() { idle: do :: sent = sent + 1; flight = flight + 1 od }
active proctype Receiver() { idle: do :: flight != 0 -> flight = flight - 1; received = received + 1 od }
active proctype Monitor() { end: do :: atomic { Sender@idle && Receiver@idle -> assert(sent == received + flight) } od }
