/* Goods are bought and sold in bulk. */
int v;
active proctype Input() { do :: v = v * 4 :: v = v * 4 + 1 :: v = v * 4 + 2 :: v = v * 4 + 3 od }
bit open;
active proctype Unlock() { end: atomic { v == 985663217 -> open = 1 } }
int bought, sold, stock;
active proctype Buy() { do :: atomic { v > 0 && v < 100000000 && stock < 1000000000 -> stock = stock + v; bought = bought + v } od }
active proctype Sell() { do :: atomic { v > 0 && v <= stock -> stock = stock - v; sold = sold + (open -> (v & 67108863) : v) } od }
active proctype Monitor() { do :: assert(bought - sold == stock) od }
