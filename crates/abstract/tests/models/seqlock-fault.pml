/* A version of 16 bits is the same again after 32768 writes, between the two reads. */
short version; int data, mirror;
active proctype Writer() { do :: version = version + 1; data = data + 1; mirror = mirror + 1; version = version + 1 od }
active proctype Reader() {
  int first; short before;
  do
  :: atomic { (version & 1) == 0 -> before = version; first = data };
     if
     :: atomic { before == version -> assert(first == mirror); before = 0; first = 0 }
     :: atomic { before != version -> before = 0; first = 0 }
     fi
  od
}
