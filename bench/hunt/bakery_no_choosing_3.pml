/* Lamport's bakery algorithm for 3 processes without the array `choosing`. */
#define N 3
byte number[N]; byte critical;
active [N] proctype p() {
	byte max, j;
	do
	:: max = 0; j = 0;
	   do
	   :: j < N -> if :: number[j] > max -> max = number[j] :: else fi; j++
	   :: else -> break
	   od;
	   if :: max > 5 -> break :: else fi;
	   number[_pid] = max + 1; j = 0;
	   do
	   :: j < N ->
	      (number[j] == 0 || number[j] > number[_pid] || (number[j] == number[_pid] && j >= _pid)); j++
	   :: else -> break
	   od;
	   critical++; assert(critical == 1); critical--;
	   number[_pid] = 0
	od
}
