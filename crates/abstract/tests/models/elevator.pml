/* The position of a lift in millimetres, between its end switches; the motor stops in time. */
int position, trips; byte motor; /* 0: stopped, 1: up, 2: down */
active proctype Drive() {
  end: do
  :: atomic { motor == 1 && position < 30000 -> position = position + 250 }
  :: atomic { motor == 2 && position > 0 -> position = position - 250 }
  od
}
active proctype Control() {
  end: do
  :: atomic { motor == 0 && position <= 29750 -> motor = 1; trips = trips + 1 }
  :: atomic { motor == 0 && position >= 250 -> motor = 2; trips = trips + 1 }
  :: motor = 0
  od
}
active proctype Monitor() { end: do :: assert(position >= 0 && position <= 30250) od }
