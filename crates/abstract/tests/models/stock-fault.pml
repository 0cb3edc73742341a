/* After many cancellations and shipments, an order is accepted without a test of the stock. */
int stock = 10, reserved, shipped, cancelled;
active proctype Deliver() { end: do :: atomic { stock < 1000 -> stock = stock + 10 } od }
active proctype Order() {
  end: do
  :: atomic { stock - reserved >= 3 -> reserved = reserved + 3 }
  :: atomic { reserved >= 3 -> reserved = reserved - 3; stock = stock - 3; shipped = shipped + 1 }
  :: atomic { reserved >= 3 -> reserved = reserved - 3; cancelled = cancelled + 1 }
  :: atomic { shipped > 6000 && cancelled > 12000 -> reserved = reserved + 3 }
  od
}
active proctype Monitor() { end: do :: assert(reserved >= 0 && reserved <= stock) od }
