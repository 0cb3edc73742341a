#ifndef __AXLE_LIBGEN_H
#define __AXLE_LIBGEN_H
/* Declared, so that programs can be read; calling the functions makes a verdict unknown. */
char *basename(char *);
char *dirname(char *);
#endif
