/* Atomic commit: the coordinator decides after the first answer */
#define PART 2

mtype = { VOTE_REQ, VOTE_YES, VOTE_NO, GLOBAL_COMMIT, GLOBAL_ABORT };

chan to_part[PART] = [2] of { mtype };
chan to_coord[PART] = [2] of { mtype };

short decision[PART] = -1;	/* 0: abort, 1: commit */

active proctype coordinator() {
  byte i;
  mtype answer;

  for (i : 0 .. PART - 1) {
    to_part[i]!VOTE_REQ
  }
  if
  :: to_coord[0]?answer
  :: to_coord[1]?answer
  fi
  for (i : 0 .. PART - 1) {
    if
    :: answer == VOTE_YES -> to_part[i]!GLOBAL_COMMIT
    :: else -> to_part[i]!GLOBAL_ABORT
    fi
  }
}

proctype participant(byte id) {
  to_part[id]?VOTE_REQ;
  if
  :: to_coord[id]!VOTE_YES;
     if
     :: to_part[id]?GLOBAL_COMMIT -> decision[id] = 1
     :: to_part[id]?GLOBAL_ABORT -> decision[id] = 0
     fi
  :: to_coord[id]!VOTE_NO;
     decision[id] = 0		/* unilateral abort */
  fi
}

init {
  atomic {
    run participant(0);
    run participant(1)
  }
}

ltl agreement {
  [] ! ((decision[0] == 1 && decision[1] == 0) ||
        (decision[0] == 0 && decision[1] == 1))
}
