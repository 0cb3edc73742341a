#ifndef __AXLE_NETINET_IP_H
#define __AXLE_NETINET_IP_H
#include <netinet/in.h>
#define IPVERSION 4
#define IP_DF 0x4000
#define IP_MF 0x2000
#define IPTOS_LOWDELAY 0x10
#define IPTOS_THROUGHPUT 0x08
#define IPTOS_RELIABILITY 0x04
#define IPDEFTTL 64
#define MAXTTL 255
#define IP_MAXPACKET 65535
#endif
