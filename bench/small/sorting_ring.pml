/* Four cells of an array sort themselves by swapping with their neighbours. */
byte cell[5];

active [4] proctype Cell()
{
	byte t;

end:	do
	:: d_step { cell[_pid] > cell[_pid + 1] -> t = cell[_pid]; cell[_pid] = cell[_pid + 1]; cell[_pid + 1] = t; t = 0 }
	od
}

init
{
	byte i, v;

	atomic {
		for (i : 0 .. 4) {
			select (v : 0 .. 4);
			cell[i] = v
		}
		i = 0; v = 0
	}
end:	(cell[0] <= cell[1] && cell[1] <= cell[2] && cell[2] <= cell[3] && cell[3] <= cell[4]);
	assert(cell[0] <= cell[4])
}
