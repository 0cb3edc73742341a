chan c = [3] of { byte, byte };
byte a, b;
active proctype S() { c!!3,1; c!!1,2; c!!2,1; c!!1,1 }
active proctype R() { c??2,a; c?a,b; c??[1,_] -> c??<1,b>; c?a,b }
