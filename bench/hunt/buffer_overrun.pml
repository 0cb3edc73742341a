/* A ring buffer whose writer compares with the wrong end: an entry is overwritten. */
#define N 6
byte buf[N]; byte head, tail, next = 1, last;
active proctype writer() { do :: (head + 1) % N != tail || next % 11 == 0 -> buf[head] = next; head = (head + 1) % N; next = (next % 200) + 1 od }
active proctype reader() { do :: head != tail -> assert(last == 200 || buf[tail] == last + 1); last = buf[tail]; tail = (tail + 1) % N od }
