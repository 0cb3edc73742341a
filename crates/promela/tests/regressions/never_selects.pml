byte x;
active proctype A() { x = 1 }
never {
	do
	:: break
	:: select(x : 1 .. 4)
	:: for (x : 1 .. 3) { true }
	od
}
