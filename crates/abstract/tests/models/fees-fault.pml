/* Withdrawals with a fee of 3, which is not taken for one amount. */
int balance = 100000, paid, fees, amount;
active proctype Customer() { do :: amount = 2 * amount :: amount = 2 * amount + 1 :: amount = 20 od }
active proctype Bank() { idle: do :: atomic { amount > 0 -> balance = balance - amount; paid = paid + amount }; if :: amount == 98765 -> skip :: else -> balance = balance - 3 fi; fees = fees + 1 od }
active proctype Audit() { end: do :: atomic { Bank@idle -> assert(balance + paid + 3 * fees == 100000) } od }
