/* A writer makes the version odd while it writes; a reader with an even, unchanged version has seen one value twice. */
int version, data, mirror;
active proctype Writer() { do :: version = version + 1; data = data + 1; mirror = mirror + 1; version = version + 1 od }
active proctype Reader() {
  int before;
  do
  :: atomic { (version & 1) == 0 -> before = version };
     atomic { before == version -> assert(data == mirror) } unless { before != version };
     before = 0
  od
}
