/* A voucher of one number is used without a credit. */
int granted, used, voucher;
active proctype Desk() {
  do
  :: voucher = voucher << 2 :: voucher = (voucher << 2) | 1 :: voucher = (voucher << 2) | 2 :: voucher = (voucher << 2) | 3
  :: voucher = 0
  od
}
active proctype Grant() { do :: granted < 2000000000 && granted - used < 100 -> granted = granted + 10 od }
active proctype Use() { do :: used < granted -> used = used + 1 :: voucher == 1732050807 -> used = used + 1 od }
active proctype Monitor() { end: do :: assert(used <= granted) od }
