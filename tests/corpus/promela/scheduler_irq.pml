/*
 * A small kernel: run queue, timer interrupt, one device which wakes a
 * blocked task.  Interrupts are disabled inside the scheduler.
 */
#define TASKS 3
#define IDLE  TASKS

mtype:ts = { ready, run_, blocked };

mtype:ts task[TASKS] = ready;
byte current = IDLE;
bool irq_enabled = true;
bool resched;
chan runq = [TASKS] of { byte };
chan disk_wait = [TASKS] of { byte };

inline wakeup(t) {
	task[t] = ready;
	runq!t
}

inline schedule() {
	irq_enabled = false;
	if
	:: current != IDLE && task[current] == run_ ->
		task[current] = ready;
		runq!current
	:: else
	fi;
	if
	:: runq?next -> task[next] = run_; current = next
	:: empty(runq) -> current = IDLE
	fi;
	resched = false;
	irq_enabled = true
}

active proctype cpu()
{
	byte next, me;

end:	do
	:: resched || current == IDLE && nempty(runq) -> schedule()
	:: !resched && current != IDLE ->
		/* the current task computes, yields or blocks */
		if
		:: skip
		:: resched = true
		:: irq_enabled = false;
		   me = current;
		   task[me] = blocked;
		   disk_wait!me;
		   resched = true;
		   irq_enabled = true
		fi
	od
}

active proctype timer()
{
end:	do
	:: atomic { irq_enabled && !resched -> resched = true }
	od
}

active proctype disk()
{
	byte t;
end:	do
	:: atomic { irq_enabled && disk_wait?[t] -> disk_wait?t; wakeup(t); t = 0 }
	od
}

init {
	byte i;
	d_step {
		for (i : 0 .. TASKS - 1) { runq!i }
		i = 0
	}
}

#define running(i) (task[i] == run_)

ltl one_runs { [] !((running(0) && running(1)) || (running(0) && running(2)) || (running(1) && running(2))) }
ltl queue_bound { [] (len(runq) + len(disk_wait) <= TASKS) }
