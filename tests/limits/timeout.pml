/* Many processes are blocked in every state; `timeout` and `else` are evaluated often. */
int n;
chan c = [1] of { int };
active [8] proctype P() { int i; do :: c?i :: n % 8 == _pid -> n++ :: timeout -> n = 0 od }
active proctype Q() { do :: c!n :: n = n + 3 od }
