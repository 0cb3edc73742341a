bool neg_mode = false;
#include "program.spn"
