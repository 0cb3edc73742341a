/* An order tests the stock without what others have reserved. */
int stock = 10, reserved, shipped;
active proctype Deliver() { end: do :: atomic { stock < 100000 -> stock = stock + 10 } od }
active [4] proctype Order() {
  end: do
  :: atomic { stock >= 3 -> reserved = reserved + 3 };
     if
     :: atomic { reserved = reserved - 3; stock = stock - 3; shipped = shipped + 3 }
     :: reserved = reserved - 3
     fi
  od
}
active proctype Monitor() { end: do :: assert(reserved >= 0 && reserved <= stock) od }
