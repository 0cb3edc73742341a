#ifndef __AXLE_IFADDRS_H
#define __AXLE_IFADDRS_H
#include <sys/socket.h>
/* Declared, so that programs can be read; calling the functions makes a verdict unknown. */
struct ifaddrs {
    struct ifaddrs *ifa_next;
    char *ifa_name;
    unsigned ifa_flags;
    struct sockaddr *ifa_addr, *ifa_netmask;
    union { struct sockaddr *ifu_broadaddr, *ifu_dstaddr; } ifa_ifu;
    void *ifa_data;
};
#define ifa_broadaddr ifa_ifu.ifu_broadaddr
#define ifa_dstaddr ifa_ifu.ifu_dstaddr
int getifaddrs(struct ifaddrs **);
void freeifaddrs(struct ifaddrs *);
#endif
