/* A server that may be busy forever: 0 idle, 1 requested, 2 granted. */
byte state;

active proctype server()
{
    do
    :: state == 0 -> state = 1
    :: state == 1 -> skip
    :: state == 1 -> state = 2
    :: state == 2 -> state = 0
    od
}
