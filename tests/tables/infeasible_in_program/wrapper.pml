int ready = 1;
#include "consumer.spn"
