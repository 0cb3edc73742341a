/* MSI with a directory: requests go to the home node, one at a time. */
#define NC 2
#define NONE 255

mtype = { GetS, GetM, Data, DataM, Inv, InvAck, Fetch, WB };

chan req = [NC] of { mtype, byte };            /* to home */
chan rsp[NC] = [1] of { mtype };               /* grants */
chan snoop[NC] = [0] of { mtype };             /* invalidations */
chan sack = [0] of { mtype, byte };

byte st[NC];    /* 0 = I, 1 = S, 2 = M */
byte work[NC];

#define I 0
#define S 1
#define M 2

proctype Cache(byte me) {
  do
  :: st[me] == I -> req!GetS,me;
wait_s:
     if
     :: rsp[me]?Data -> st[me] = S
     :: snoop[me]?Inv -> st[me] = I; sack!InvAck,me; goto wait_s
     fi
  :: st[me] != M -> req!GetM,me;
wait_m:
     if
     :: rsp[me]?DataM -> st[me] = M
     :: snoop[me]?Inv -> st[me] = I; sack!InvAck,me; goto wait_m
     fi
  :: snoop[me]?Inv -> st[me] = I; sack!InvAck,me
  :: snoop[me]?Fetch -> st[me] = S; sack!WB,me
  :: st[me] == M -> work[me] = 1 - work[me]
  od
}

proctype Home() {
  byte sharers = 0;     /* bit mask */
  byte owner = NONE;
  byte who, k;
  do
  :: req?GetS,who ->
       if
       :: owner != NONE && owner != who ->
            snoop[owner]!Fetch; sack?WB,eval(owner);
            sharers = sharers | (1 << owner);
            owner = NONE
       :: else
       fi;
       sharers = sharers | (1 << who);
       rsp[who]!Data
  :: req?GetM,who ->
       if
       :: owner != NONE && owner != who ->
            snoop[owner]!Inv; sack?InvAck,eval(owner)
       :: else
       fi;
       k = 0;
       do
       :: k < NC ->
            if
            :: k != who && (sharers & (1 << k)) ->
                 snoop[k]!Inv; sack?InvAck,eval(k)
            :: else
            fi;
            k++
       :: k == NC -> break
       od;
       sharers = 0; k = 0;
       owner = who;
       rsp[who]!DataM
  od
}

init {
  atomic { run Home(); run Cache(0); run Cache(1) }
}

ltl swmr { [] !(st[0] == M && st[1] != I) }
