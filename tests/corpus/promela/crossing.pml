// Railway crossing with a controller, gate and trains on two tracks
mtype = { approach, leave, lower, raise };
mtype = { far, near, inside };
mtype = { open, closing, shut, opening };

chan sensor = [2] of { mtype };
chan cmd = [1] of { mtype };

mtype train[2] = far;
mtype gate = open;
bool signal_go;

proctype Train(byte id) {
  do
  :: train[id] = near; sensor!approach;
     (signal_go);
     train[id] = inside;
     train[id] = far;
     sensor!leave
  od
}

proctype Controller() {
  byte count = 0;
  do
  :: sensor?approach ->
       count++;
       if
       :: count == 1 -> cmd!lower
       :: else -> skip
       fi
  :: sensor?leave ->
       count--;
       if
       :: count == 0 ->
            atomic { signal_go = false; cmd!raise }
       :: else -> skip
       fi
  od
}

proctype Gate() {
  do
  :: cmd?lower ->
       gate = closing;
       atomic { gate = shut; signal_go = true }
  :: cmd?raise ->
       gate = opening;
       gate = open
  od
}

init {
  atomic { run Gate(); run Controller(); run Train(0) }
}

ltl safety { [] (train[0] == inside -> gate == shut) }
ltl alive { [] (train[0] == near -> <> (train[0] == inside || gate == shut)) }
