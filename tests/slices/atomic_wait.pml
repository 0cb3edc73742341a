/* Inside the sequence the process waits, and others move: what x is then can be seen. */
byte x, y;
active proctype P()
{
	atomic { x = 1; (y == 1); x = 2 };
	atomic { y = 2; (y == 3); y = 4 }
}
active proctype Q() { y = 1; y == 2; y = 3 }
ltl unseen { [] (x != 1) }
ltl comes { <> (x == 2) }
