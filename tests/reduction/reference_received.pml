/* Replies over channels that are received: two clients of a server do not see each other's. */
chan requests = [0] of { chan, byte };
proctype client(byte n) {
	chan reply = [0] of { byte };
	byte answer;
	requests!reply, n;
	reply?answer;
	assert(answer != 3)
}
active proctype server() {
	chan to;
	byte n;
end:	do
	:: requests?to, n -> n = n + 1; to!n
	od
}
init { run client(1); run client(2) }
