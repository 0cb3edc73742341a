// A C program with a fault: a train may cross while the gate is open.

export const GATE = `#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int closed;
int crossing;
int trains;

void signal_train(void) {
    closed = 1;
}

void train_passes(void) {
    crossing = 1;
    trains++;
    crossing = 0;
}

int main(void) {
    while (trains < 3) {
        int seen = __VERIFIER_nondet_int();
        if (seen)
            signal_train();
        train_passes();
        closed = 0;
    }
    return 0;
}
`;

/** The files of its project. */
export const FILES = {
  "axle.toml": 'name = "gate"\n\n[sources]\nc = ["gate.c"]\n',
  "gate.c": GATE,
  "requirements/gate.md": "# The gate\n\n## Safety\n\nWhile a train crosses, the gate is closed.\n\n## Passing\n\nTrains pass.\n",
  "properties/safe.md": '+++\nname = "safe"\nreference = "gate.md#safety"\nformula = "[] (crossing -> closed)"\ntags = ["safety"]\n+++\n\nWhile a train crosses, the gate is closed.\n',
  "properties/bounded.md": '+++\nname = "bounded"\nreference = "gate.md#passing"\nformula = "[] (trains <= 3)"\n+++\n\nAt most three trains pass.\n',
};
