/* `chosen` and `index` decide whether the evaluation of a value that is never read is a fault; `addend` does not. */
byte table[3], unread, chosen, index, addend;
active proctype P() priority 2
{
	do
	:: chosen = 1
	:: chosen = 0
	:: index = 2
	:: index = 3
	:: addend = 1 - addend
	:: unread = (chosen -> table[index] : 0) + addend
	od
}
