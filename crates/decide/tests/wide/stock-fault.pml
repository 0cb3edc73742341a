/* Goods are bought and sold in bulk. */
int v;
active proctype Input() { do :: v = v + v :: v = v + v + 1 od }
int bought, sold, stock;
active proctype Buy() { do :: atomic { v > 0 && v < 100000000 && stock < 1000000000 -> stock = stock + v; bought = bought + v } od }
active proctype Sell() { do :: atomic { v > 0 && v <= stock -> stock = stock - v; sold = sold + (v & 67108863) } od }
active proctype Monitor() { do :: assert(bought - sold == stock) od }
