byte n;
active proctype P() { do :: n < 3 -> n++ :: n == 3 -> progress: n = 0 od }
never { do :: n == 7 -> break :: else od }
