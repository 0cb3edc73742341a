#define NPROC 3
bit lock = 0; byte owner = 255;
proctype user(byte id)
{
  do
  :: (lock == 0) ->
       lock = 1;
       owner = id;
       /* critical section */
       assert(owner == id);
       lock = 0
  od
}
init { atomic { byte i; for (i : 0 .. NPROC-1) { run user(i) } } }
