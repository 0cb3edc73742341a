#ifndef __AXLE_SYS_TERMIOS_H
#define __AXLE_SYS_TERMIOS_H
#include <termios.h>
#endif
