/* A subscriber line with three features. */
mtype = { idle, dialtone, ringing, talking };

mtype state = idle;
bool offhook, called, refused, forwarded;
byte calls;

/* Provisioning. */
bool call_waiting, do_not_disturb;
byte forwarding;

active proctype line() {
    do
    :: state == idle && offhook -> state = dialtone
    :: state == dialtone && offhook -> state = talking
    :: state == idle && called && !do_not_disturb && forwarding == 0 -> called = false; state = ringing
    :: called && do_not_disturb -> d_step { called = false; refused = true }
    :: called && !do_not_disturb && forwarding > 0 -> d_step { called = false; forwarded = true }
    :: state == talking && called && call_waiting && forwarding == 0 -> called = false
    :: state == ringing && offhook -> state = talking
    :: state != idle && !offhook && state != ringing -> state = idle
    od
}

active proctype subscriber() {
    do
    :: offhook = true
    :: offhook = false
    od
}

active proctype network() {
    do
    :: calls < 2 && !called -> d_step { calls++; called = true }
    od
}
