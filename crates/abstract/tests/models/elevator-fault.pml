/* After many trips in both directions, a service run goes beyond the upper end switch. */
int position, ups, downs;
active proctype Drive() {
  end: do
  :: atomic { position < 30000 -> position = 30000; ups = ups + 1 }
  :: atomic { position > 0 -> position = 0; downs = downs + 1 }
  :: atomic { position == 30000 -> position = 15000 }
  :: atomic { position == 15000 && ups > 15000 && downs > 12000 -> position = 30500 }
  od
}
active proctype Monitor() { end: do :: assert(position >= 0 && position <= 30250) od }
