#ifndef __AXLE_SYS_UTSNAME_H
#define __AXLE_SYS_UTSNAME_H
/* Declared, so that programs can be read; calling it makes a verdict unknown. */
struct utsname { char sysname[65], nodename[65], release[65], version[65], machine[65], domainname[65]; };
int uname(struct utsname *);
#endif
