/* Each level of a nest of atomics marked all that lies inside it, once for every level below: the cube of the depth. */
#define O10 atomic { atomic { atomic { atomic { atomic { atomic { atomic { atomic { atomic { atomic {
#define C10 } } } } } } } } } }
#define O O10 O10 O10 O10 O10 O10 O10 O10 O10 O10 O10 O10 O10
#define C C10 C10 C10 C10 C10 C10 C10 C10 C10 C10 C10 C10 C10
#define D :: O x = 1 - x C
#define E D D D D D D D D D D
byte x;
active proctype P() { do E E E E E E E E E E E E E E E E E E E E E E E E E E E E E E od }
