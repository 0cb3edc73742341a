/* 200 processes with private and shared counters. */
byte shared[200];
active [200] proctype P() {
    byte i;
    do :: i < 200 -> shared[_pid] = i; i++ :: i > 0 -> i--; assert(shared[i] < 201) od
}
