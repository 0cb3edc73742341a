/* Clients take units of three kinds from pools, one kind after the other, work, and give all back. */
#define CLIENTS 30

byte printers = 4;
byte discs = 6;
byte tapes = 3;

active [CLIENTS] proctype Client()
{
	bit printer, disc, tape;
	byte draft;

	do
	:: draft < 2 -> draft++
	:: draft > 0 -> draft--
	:: atomic { draft == 2 && printers > 0 -> printers--; printer = 1 };
	   if
	   :: atomic { discs > 0 -> discs--; disc = 1 }
	   :: atomic { tapes > 0 -> tapes--; tape = 1 }
	   fi;
	   atomic {
		printers = printers + printer;
		discs = discs + disc;
		tapes = tapes + tape;
		printer = 0; disc = 0; tape = 0
	   }
	od
}
