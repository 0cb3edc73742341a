#ifndef __AXLE_SYS_IOCTL_H
#define __AXLE_SYS_IOCTL_H
#include <sys/types.h>
/* Declared, so that programs can be read; calling the functions makes a verdict unknown. */
struct winsize { unsigned short ws_row, ws_col, ws_xpixel, ws_ypixel; };
#define TCGETS 0x5401
#define TCSETS 0x5402
#define TCSETSW 0x5403
#define TCSETSF 0x5404
#define TIOCSCTTY 0x540e
#define TIOCGPGRP 0x540f
#define TIOCSPGRP 0x5410
#define TIOCOUTQ 0x5411
#define TIOCGWINSZ 0x5413
#define TIOCSWINSZ 0x5414
#define FIONREAD 0x541b
#define TIOCINQ 0x541b
#define FIONBIO 0x5421
#define TIOCNOTTY 0x5422
#define FIOASYNC 0x5452
#define FIOCLEX 0x5451
#define SIOCGIFCONF 0x8912
#define SIOCGIFFLAGS 0x8913
#define SIOCGIFADDR 0x8915
#define SIOCGIFHWADDR 0x8927
#define SIOCGIFINDEX 0x8933
int ioctl(int, unsigned long, ...);
#endif
