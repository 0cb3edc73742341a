/* A timer of one byte wraps around after 256 ticks, and a deadline is missed. */
byte now, deadline = 250; bool armed = true;
active proctype clock() { do :: now++ od }
active proctype alarm() { do :: armed && now >= deadline -> armed = false; deadline = now + 250; armed = true od }
active proctype watch() { do :: armed && now < deadline -> assert(deadline - now <= 250) od }
