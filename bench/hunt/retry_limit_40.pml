/* A connection gives up after 40 lost requests and forgets to release its slot. */
byte slots = 1, retries; chan net = [1] of { bit }; chan back = [1] of { bit };
active proctype client() {
	do
	:: slots > 0 -> slots--; retries = 0;
	   do
	   :: retries < 40 -> net!1; if :: back?1 -> slots++; break :: timeout -> retries++ fi
	   :: else -> break
	   od
	od
}
active proctype server() { do :: net?1 -> back!1 :: net?1 -> skip od }
