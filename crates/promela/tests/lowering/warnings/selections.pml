chan c = [1] of { byte };
byte x;
active proctype P() {
  if
  :: c?x -> skip
  :: else -> skip //~ W0307
  fi;
  if
  :: timeout -> skip //~ W0317
  :: else -> x = 1
  fi;
  c!x
}
