/* A process that never pauses beside one that ends. */
byte done, ticks;

active proctype clock()
{
    do
    :: ticks = 1 - ticks
    od
}

active proctype worker()
{
    done = 1
}
