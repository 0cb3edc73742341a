/* Two processes that give way to each other forever. */
bool a, b;
active proctype left() { do :: a = true; if :: b -> a = false :: else -> progress: skip; a = false fi od }
active proctype right() { do :: b = true; if :: a -> b = false :: else -> b = false fi od }
ltl progresses { [] <> left@progress }
