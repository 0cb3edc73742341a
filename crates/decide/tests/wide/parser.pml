/* A message with a length of 16 bits that arrives bit by bit, and a buffer of 8 bytes. */
unsigned length : 16; byte at; byte buffer[8]; byte bits;
active proctype Parser() {
  do
  :: length = 0; bits = 0;
     do
     :: bits < 16 -> if :: length = length * 2 :: length = length * 2 + 1 fi; bits++
     :: bits == 16 -> break
     od;
     if
     :: length > 8 -> skip
     :: length <= 8 ->
        at = 0;
        do :: at < length -> buffer[at] = 1; at++ :: at >= length -> break od
     fi
  od
}
