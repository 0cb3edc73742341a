#ifndef __AXLE_SETJMP_H
#define __AXLE_SETJMP_H
/* Declared, so that programs can be read; calling them makes a verdict unknown. */
typedef long jmp_buf[8];
typedef long sigjmp_buf[8];
int setjmp(jmp_buf);
int sigsetjmp(sigjmp_buf, int);
void longjmp(jmp_buf, int) __attribute__((noreturn));
void siglongjmp(sigjmp_buf, int) __attribute__((noreturn));
#endif
