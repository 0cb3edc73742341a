#ifndef __AXLE_STDNORETURN_H
#define __AXLE_STDNORETURN_H
#define noreturn _Noreturn
#endif
