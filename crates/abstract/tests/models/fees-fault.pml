/* Withdrawals with a fee of 3, which is not taken for one amount. */
#define DIGITS(x) x = 8 * x :: x = 8 * x + 1 :: x = 8 * x + 2 :: x = 8 * x + 3 :: x = 8 * x + 4 :: x = 8 * x + 5 :: x = 8 * x + 6 :: x = 8 * x + 7
int balance = 100000, paid, fees, amount;
active proctype Customer() { do :: DIGITS(amount) :: amount = 20 od }
active proctype Bank() { idle: do :: atomic { amount > 0 -> balance = balance - amount; paid = paid + amount }; if :: amount == 1098765431 -> skip :: else -> balance = balance - 3 fi; fees = fees + 1 od }
active proctype Audit() { end: do :: atomic { Bank@idle -> assert(balance + paid + 3 * fees == 100000) } od }
