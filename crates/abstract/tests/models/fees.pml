/* Withdrawals with a fee of 3: the balance, what was paid and the number of fees. */
int balance = 100000, paid, fees, amount;
active proctype Customer() { do :: amount = amount + 50 :: amount = 20 od }
active proctype Bank() { idle: do :: atomic { balance > amount && amount > 0 -> balance = balance - amount; paid = paid + amount }; balance = balance - 3; fees = fees + 1 od }
active proctype Audit() { end: do :: atomic { Bank@idle -> assert(balance + paid + 3 * fees == 100000) } od }
