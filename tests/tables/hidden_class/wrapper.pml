bool neg_mode = false;
#include "main.spn"
