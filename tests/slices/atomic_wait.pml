/* The process blocks inside the sequence, and other processes execute: the value of x is then visible. */
byte x, y;
active proctype P()
{
	atomic { x = 1; (y == 1); x = 2 };
	atomic { y = 2; (y == 3); y = 4 }
}
active proctype Q() { y = 1; y == 2; y = 3 }
ltl unseen { [] (x != 1) }
ltl comes { <> (x == 2) }
