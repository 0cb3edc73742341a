/* Goods are bought and sold in bulk. */
int v;
active proctype Input() { do :: v = v * 4 :: v = v * 4 + 1 :: v = v * 4 + 2 :: v = v * 4 + 3 od }
int bought, sold, stock;
active proctype Buy() { do :: atomic { v > 0 && v < 100000000 && stock < 1000000000 -> stock = stock + v; bought = bought + v } od }
active proctype Sell() { do :: atomic { v > 0 && v <= stock -> stock = stock - v; sold = sold + v } od }
active proctype Monitor() { do :: assert(bought - sold == stock) od }
