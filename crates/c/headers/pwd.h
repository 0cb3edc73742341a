#ifndef __AXLE_PWD_H
#define __AXLE_PWD_H
#include <sys/types.h>
/* Declared, so that programs can be read; calling them makes a verdict unknown. */
struct passwd { char *pw_name, *pw_passwd; uid_t pw_uid; gid_t pw_gid; char *pw_gecos, *pw_dir, *pw_shell; };
struct passwd *getpwnam(const char *);
struct passwd *getpwuid(uid_t);
struct passwd *getpwent(void);
void setpwent(void);
void endpwent(void);
#endif
