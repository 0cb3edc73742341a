#ifndef __AXLE_NETINET_UDP_H
#define __AXLE_NETINET_UDP_H
#include <netinet/in.h>
#define SOL_UDP 17
#define UDP_CORK 1
#endif
