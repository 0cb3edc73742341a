/* Two accounts with a constant sum. */
int a = 1000, b = 1000, amount;
active proctype Choose() { do :: amount = amount + 1 :: amount = amount + 100 :: amount = 0 od }
active proctype Transfer() {
  do
  :: atomic { amount > 0 && amount <= a -> a = a - amount; b = b + amount }
  :: atomic { amount > 0 && amount <= b -> b = b - amount; a = a + amount }
  od
}
active proctype Monitor() { end: do :: assert(a + b == 2000) od }
