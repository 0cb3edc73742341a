/* It fails after two choices, or after one choice and more steps. */
byte way, failed;

active proctype toggle() {
  if
  :: way = 1;
     if
     :: failed = 1
     :: way = 3
     :: way = 4
     :: way = 5
     fi
  :: way = 2; way = 6; way = 7; failed = 2
  fi;
  way = 8;
  failed = 0;
  do
  :: way = 9
  od
}
