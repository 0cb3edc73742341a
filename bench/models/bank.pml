/* Clerks move money between accounts under locks taken in order; no account goes over its limit.
 * Arrays of records with arrays inside. */
#define ACCOUNTS 3
#define CLERKS 3
#define TOTAL 2

typedef Account {
	byte balance;
	bool locked;
	byte limit[2];     /* least and most */
};

Account account[ACCOUNTS];
byte working;

active [CLERKS] proctype Clerk()
{
	byte from, to;

	do
	:: select (from : 0 .. ACCOUNTS - 1);
	   select (to : 0 .. ACCOUNTS - 1);
	   if
	   :: from < to ->
		atomic { !account[from].locked -> account[from].locked = true };
		atomic { !account[to].locked -> account[to].locked = true };
		working++;
		if
		:: account[from].balance > account[from].limit[0] ->
			account[from].balance--;
			account[to].balance++
		:: account[to].balance > account[to].limit[0] ->
			account[to].balance--;
			account[from].balance++
		:: else
		fi;
		assert(account[to].balance <= account[to].limit[1] && account[from].balance <= account[from].limit[1]);
		working--;
		account[from].locked = false;
		account[to].locked = false
	   :: else
	   fi;
	   from = 0;
	   to = 0
	od
}

init
{
	byte i;

	atomic {
		account[0].balance = TOTAL / 2;
		for (i : 0 .. ACCOUNTS - 1) { account[i].limit[1] = TOTAL }
		i = 0
	}
}
