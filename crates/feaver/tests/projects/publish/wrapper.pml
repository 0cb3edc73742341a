/* The environment of producer and consumer. */
bit ready;
byte value;

#include "producer.spn"
#include "consumer.spn"
