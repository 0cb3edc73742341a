/* Consumers test the condition once after a wake-up instead of in a loop (4 consumers). */
byte items, waiting, woken;
bool mutex;
active proctype producer() {
	do
	:: atomic { !mutex -> mutex = true };
	   if :: items < 2 -> items++ :: else fi;
	   if :: waiting > 0 -> waiting--; woken++ :: else fi;
	   mutex = false
	od
}
active [4] proctype consumer() {
	do
	:: atomic { !mutex -> mutex = true };
	   if
	   :: items == 0 ->
	      waiting++; mutex = false;
	      atomic { woken > 0 -> woken-- };
	      atomic { !mutex -> mutex = true }
	   :: else
	   fi;
	   assert(items > 0); items--;
	   mutex = false
	od
}
