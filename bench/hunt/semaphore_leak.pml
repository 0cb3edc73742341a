/* A process that is interrupted between two semaphores keeps the first one. */
byte s1 = 1, s2 = 1; bool stop;
active [3] proctype worker() { do :: atomic { s1 > 0 -> s1-- }; if :: atomic { s2 > 0 -> s2-- }; s2++; s1++ :: stop -> break fi od }
active proctype control() { byte n; do :: n < 30 -> n++ :: else -> stop = true; break od }
