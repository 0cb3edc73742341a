#ifndef __AXLE_STDALIGN_H
#define __AXLE_STDALIGN_H
#define alignas _Alignas
#define alignof _Alignof
#endif
