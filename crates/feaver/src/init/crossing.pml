/* A level crossing: the gate closes before a train crosses, and opens behind it. */
bool has_sensor;
bool approaching, crossing, closed;

active proctype train() {
    do
    :: !approaching -> skip
    :: d_step { !approaching -> approaching = true }
    :: d_step { approaching && closed -> crossing = true }
       d_step { crossing = false; approaching = false }
    od
}

active proctype gate() {
    do
    :: d_step { approaching && !closed -> closed = true }
    :: d_step { closed && !approaching && (!has_sensor || !crossing) -> closed = false }
    od
}
