/* Readers and writers of a shared file, with a counter of those inside. */
#define READERS 40
#define WRITERS 10

byte readers, writers;

active [READERS] proctype Reader()
{
	do
	:: atomic { writers == 0 -> readers++ };
	   atomic { readers-- }
	od
}

active [WRITERS] proctype Writer()
{
	byte draft;

	do
	:: draft < 3 -> draft++
	:: atomic { draft > 0 && readers == 0 && writers == 0 -> writers = 1 };
	   assert(writers == 1 && readers == 0);
	   atomic { writers = 0; draft = 0 }
	od
}
