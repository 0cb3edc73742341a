/* 256 does not fit a byte: the counter starts again at 0. Found with --enable truncation. */

byte counter = 250;

active proctype ticker()
{
	do
	:: counter != 0 -> counter = counter + 1
	:: else -> break
	od
}
