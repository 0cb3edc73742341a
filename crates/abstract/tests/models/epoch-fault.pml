/* A debugger's command advances the epoch without the readers. */
#define DIGITS(x) x = 8 * x :: x = 8 * x + 1 :: x = 8 * x + 2 :: x = 8 * x + 3 :: x = 8 * x + 4 :: x = 8 * x + 5 :: x = 8 * x + 6 :: x = 8 * x + 7
int epoch, seen[2], command;
active [2] proctype Reader() { end: do :: atomic { seen[_pid] = epoch } od }
active proctype Debugger() { end: do :: DIGITS(command) od }
active proctype Advance() {
  end: do
  :: atomic { seen[0] == epoch && seen[1] == epoch && epoch < 2000000000 -> epoch = epoch + 1 }
  :: atomic { command == 2020202021 && epoch < 2000000000 -> epoch = epoch + 1; command = 0 }
  od
}
active proctype Monitor() { end: do :: assert(epoch - seen[0] <= 2 && epoch - seen[1] <= 2) od }
