int ready = 1;
int finished;
#include "consumer.spn"
