/* The end switch is tested one position too late. */
int position, trips; byte motor;
active proctype Drive() {
  end: do
  :: atomic { motor == 1 && position < 1000 -> position = position + 250 }
  :: atomic { motor == 2 && position > -250 -> position = position - 250 }
  od
}
active proctype Control() {
  end: do
  :: atomic { motor == 0 -> motor = 1; trips = trips + 1 }
  :: atomic { motor == 0 -> motor = 2; trips = trips + 1 }
  :: motor = 0
  od
}
active proctype Monitor() { end: do :: assert(position >= 0 && position <= 1000) od }
