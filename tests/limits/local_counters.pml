/* 60 independent processes: partial-order reduction applies in every state. */
byte sum;
active [60] proctype P() {
    byte i, j;
    do :: i < 200 -> i++; j = i * 3 :: else -> break od;
    atomic { sum = sum + j }
    do :: sum++; assert(sum < 256) od
}
