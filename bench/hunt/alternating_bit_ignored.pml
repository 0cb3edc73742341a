/* The receiver of the alternating bit protocol ignores the bit: a message is accepted twice. */
mtype = { msg, ack };
chan s = [1] of { mtype, byte, bit }; chan r = [1] of { mtype, bit };
active proctype sender() {
	byte data; bit b; bit a;
	do
	:: s!msg, data, b;
	   if
	   :: r?ack, a -> if :: a == b -> b = 1 - b; data = (data + 1) % 8 :: else fi
	   :: timeout
	   fi
	od
}
active proctype receiver() {
	byte d, expected; bit b;
	do
	:: s?msg, d, b ->
	   assert(d == expected); expected = (expected + 1) % 8;
	   r!ack, b
	od
}
active proctype thief() { byte d; bit b; do :: s?msg, d, b :: r?ack, b od }
