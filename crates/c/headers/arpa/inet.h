#ifndef __AXLE_ARPA_INET_H
#define __AXLE_ARPA_INET_H
#include <netinet/in.h>
/* Declared, so that programs can be read; calling the functions makes a verdict unknown. */
in_addr_t inet_addr(const char *);
int inet_aton(const char *, struct in_addr *);
char *inet_ntoa(struct in_addr);
const char *inet_ntop(int, const void *, char *, socklen_t);
int inet_pton(int, const char *, void *);
in_addr_t inet_network(const char *);
in_addr_t inet_netof(struct in_addr);
in_addr_t inet_lnaof(struct in_addr);
struct in_addr inet_makeaddr(in_addr_t, in_addr_t);
#endif
