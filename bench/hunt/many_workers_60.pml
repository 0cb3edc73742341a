/* 60 workers increase a counter in two steps; updates are lost. */
#define N 60
byte total, done;
active [N] proctype worker() { byte t; t = total; t++; total = t; done++ }
active proctype judge() { done == N; assert(total == N) }
