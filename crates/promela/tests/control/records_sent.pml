typedef I { byte k; bit f[2] }; typedef O { I i; short s };
chan c = [2] of { mtype, O }; mtype = { go, stop };
O g;
active proctype S() { O o; o.i.k = 3; o.i.f[1] = 1; o.s = -2; c!go,o; o.s = 4; c!stop(o) }
active proctype R() { c?go,g; O o; c?eval(stop),o; assert(g.i.f[1] == 1 && g.s == -2 && o.s == 4) }
