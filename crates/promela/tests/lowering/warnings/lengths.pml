byte n = 4;
byte m;
byte a[n]; //~ W0311
byte b[m]; //~ W0311
active proctype P() { m = 2; a[0] = n + m; b[0] = a[0]; (b[0] > 0) }
