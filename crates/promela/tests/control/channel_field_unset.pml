typedef T { chan c; byte k };
chan q = [1] of { byte };
T t;
active proctype A() { t.c = q; t.c!1; t.c = 0; q?t.k }
