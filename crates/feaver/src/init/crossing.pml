/* A level crossing: the gate closes before a train crosses, and opens behind it. */
bool has_sensor;
bool approaching, crossing, closed;

active proctype train() {
    do
    :: !approaching -> skip
    :: !approaching -> approaching = true
    :: approaching && closed -> crossing = true; crossing = false; approaching = false
    od
}

active proctype gate() {
    do
    :: approaching && !closed -> closed = true
    :: closed && !approaching && (!has_sensor || !crossing) -> closed = false
    od
}
