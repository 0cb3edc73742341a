byte n;
proctype C(byte k) { n = n + k }
proctype Q(byte k) { if :: k > 0 -> run Q(k - 1); n++ :: else fi }
init { atomic { run C(1); run Q(2) }; byte p; p = run C(3); p = 1 + run C(2); n == 9 -> n = 0 }
