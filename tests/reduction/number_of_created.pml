/* The number of a created process is stored: the order of creations and ends matters. */
byte number;
proctype helper() { skip }
active proctype first() { run helper() }
active proctype second() { number = run helper(); assert(number != 2) }
