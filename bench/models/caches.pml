/* Caches with lines in state modified, shared or invalid, on a bus with queued requests. Every cache stores
 * data, and a read returns the last write. A large state vector of nested records. */
#define CPUS 4
#define LINES 1

mtype = { invalid, shared, modified };
mtype = { none, get, own };

typedef Line {
	mtype state;
	byte data;
	short tag;
};

typedef Cache {
	Line line[LINES];
	mtype request;
	byte wanted;
	int pad[12];        /* carried along: what a real cache would hold */
};

Cache cache[CPUS];
byte memory[LINES];
byte latest[LINES];

active [CPUS] proctype Cpu()
{
	byte l;

	do
	:: cache[_pid].request == none ->
		if
		:: atomic {
			cache[_pid].line[l].state != invalid ->
			assert(cache[_pid].line[l].data == latest[l])
		   }
		:: cache[_pid].line[l].state == invalid -> atomic { cache[_pid].wanted = l; cache[_pid].request = get }
		:: cache[_pid].line[l].state != modified -> atomic { cache[_pid].wanted = l; cache[_pid].request = own }
		:: atomic {
			cache[_pid].line[l].state == modified ->
			latest[l] = (latest[l] + 1) % 6;
			cache[_pid].line[l].data = latest[l]
		   }
		fi
	od
}

active proctype Bus()
{
	byte i, who, l;

	do
	:: atomic {
		who = 0;
		do
		:: who < CPUS - 1 -> who++
		:: break
		od;
		cache[who].request != none ->
		l = cache[who].wanted
	   };
	   /* write back, then take */
	   d_step {
		for (i : 0 .. CPUS - 1) {
			if
			:: cache[i].line[l].state == modified ->
				memory[l] = cache[i].line[l].data;
				cache[i].line[l].state = shared
			:: else
			fi;
			if
			:: i != who && cache[who].request == own ->
				cache[i].line[l].state = invalid;
				cache[i].line[l].data = 0
			:: else
			fi
		}
		i = 0
	   };
	   d_step {
		cache[who].line[l].data = memory[l];
		cache[who].line[l].state = (cache[who].request == own -> modified : shared);
		cache[who].request = none;
		cache[who].wanted = 0;
		who = 0;
		l = 0
	   }
	od
}
