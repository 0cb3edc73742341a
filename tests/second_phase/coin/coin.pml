/* A wrong move after two choices, or after one choice and more steps. */
byte way, moves;

active proctype coin() {
  if
  :: way = 1;
     if
     :: moves = 2
     :: moves = 0
     :: moves = 1
     :: moves = 0
     fi
  :: way = 2; way = 3; way = 4; moves = 2
  fi;
  assert(moves < 2)
}
