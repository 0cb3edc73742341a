#ifndef __AXLE_SYS_PRCTL_H
#define __AXLE_SYS_PRCTL_H
#define PR_SET_PDEATHSIG 1
#define PR_GET_PDEATHSIG 2
#define PR_GET_DUMPABLE 3
#define PR_SET_DUMPABLE 4
#define PR_SET_TIMERSLACK 29
#define PR_SET_NO_NEW_PRIVS 38
#define PR_SET_NAME 15
#define PR_GET_NAME 16
int prctl(int, ...);
#endif
