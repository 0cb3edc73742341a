#ifndef __AXLE_SYS_UN_H
#define __AXLE_SYS_UN_H
#include <sys/socket.h>
#include <string.h>
#define SUN_LEN(a) (__builtin_offsetof(struct sockaddr_un, sun_path) + strlen((a)->sun_path))
struct sockaddr_un { sa_family_t sun_family; char sun_path[108]; };
#endif
