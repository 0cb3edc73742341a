/* The amount is read twice in a transfer. */
int a = 1000, b = 1000, amount;
active proctype Choose() { do :: amount = amount + 1 :: amount = amount + 100 :: amount = 0 od }
active proctype Transfer() {
  do
  :: atomic { amount > 0 && amount <= a -> a = a - amount }; b = b + amount; assert(a + b == 2000)
  od
}
