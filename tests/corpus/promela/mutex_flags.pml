/* First attempt: raise the flag, look at the other one. */
bool wantP = false, wantQ = false;

active proctype P() {
    do
    ::  wantP = true;
        !wantQ;
        printf("P in critical section\n");
        wantP = false
    od
}

active proctype Q() {
    do
    ::  wantQ = true;
        !wantP;
        printf("Q in critical section\n");
        wantQ = false
    od
}
