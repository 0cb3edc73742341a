/* Orders reserve items before they ship them; deliveries increase the stock. */
int stock = 10, reserved, shipped;
active proctype Deliver() { end: do :: atomic { stock < 100000 -> stock = stock + 10 } od }
active [2] proctype Order() {
  end: do
  :: atomic { stock - reserved >= 3 -> reserved = reserved + 3 };
     if
     :: atomic { reserved = reserved - 3; stock = stock - 3; shipped = shipped + 3 }
     :: reserved = reserved - 3
     fi
  od
}
active proctype Monitor() { end: do :: assert(reserved >= 0 && reserved <= stock) od }
