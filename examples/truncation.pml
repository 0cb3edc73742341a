/* 256 does not fit in a byte: the counter wraps to 0. Found with --enable truncation. */

byte counter = 250;

active proctype ticker()
{
	do
	:: counter != 0 -> counter = counter + 1
	:: else -> break
	od
}
