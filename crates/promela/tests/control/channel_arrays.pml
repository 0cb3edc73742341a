chan q[2] = [1] of { byte }; chan z[2] = [0] of { byte };
byte r;
active [2] proctype N() { byte v; do :: q[_pid]!_pid :: q[1 - _pid]?v :: z[_pid]!v -> break :: z[1 - _pid]?v -> break od; r = v }
