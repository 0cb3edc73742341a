/* The version is advanced once only. */
int version, data, mirror;
active proctype Writer() { do :: version = version + 2; data = data + 1; mirror = mirror + 1 od }
active proctype Reader() {
  int before;
  do
  :: atomic { (version & 1) == 0 -> before = version };
     atomic { before == version -> assert(data == mirror) } unless { before != version };
     before = 0
  od
}
