/* Everybody takes the left fork first. */
#define NUM_PHIL 3

byte fork[NUM_PHIL] = 0;

proctype phil(int id)
{
  do
  :: atomic { fork[id] == 0 -> fork[id] = id + 1 };
     atomic { fork[(id + 1) % NUM_PHIL] == 0 -> fork[(id + 1) % NUM_PHIL] = id + 1 };
     printf("P%d eats\n", id);
     fork[(id + 1) % NUM_PHIL] = 0;
     fork[id] = 0
  od
}

init {
  int i = 0;

  do
  :: i >= NUM_PHIL -> break
  :: else -> run phil(i);
             i++
  od
}
