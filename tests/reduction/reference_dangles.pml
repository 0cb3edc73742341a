/* A reference in a message outlives the owner of the channel, whose number a new process may take. */
chan names = [1] of { chan };
byte seen;
proctype owner() { chan own = [1] of { byte }; names!own }
proctype other() { chan own = [1] of { byte }; own!1; if :: own?_ :: true fi }
active proctype user() {
	chan known;
	names?known;
	if :: full(known) -> seen = 1 :: else fi;
	assert(seen == 0)
}
init { run owner(); run other() }
