int phase;
#include "work.spn"
