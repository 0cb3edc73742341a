/* A d_step that repeats a state only after a million statements loops forever. */
int x;
active proctype P() {
    d_step { do :: x = (x + 1) % 400000 od }
}
