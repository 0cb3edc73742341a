/* Deposits and withdrawals of any size; the balance does not overflow. */
int v;
active proctype Input() { do :: v = v * 4 :: v = v * 4 + 1 :: v = v * 4 + 2 :: v = v * 4 + 3 od }
int balance = 100;
active proctype Deposit() { do :: atomic { v > 0 && balance <= 2147483647 - v -> balance = balance + v } od }
active proctype Withdraw() { do :: atomic { v > 0 && balance >= v -> balance = balance - v } od }
active proctype Monitor() { do :: assert(balance >= 0) od }
