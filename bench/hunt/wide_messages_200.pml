/* Messages of many fields; the last field is compared with a value that overtakes it. */
typedef packet { byte body[200]; byte check };
chan line = [4] of { packet }; 
active proctype source() { packet p; byte i; do :: p.body[i] = i; p.check = p.check + 1; line!p; i = (i + 1) % 200 od }
active proctype sink() { packet p; byte last; do :: line?p -> assert(p.check == last + 1 || last == 250); last = p.check :: line?p; skip od }
