#ident "x"
#
#   /* nothing */
# define SP 1
  #define IND 2
SP IND
/* c */ #define AFTER_COMMENT 3
AFTER_COMMENT
x #define NOT 4
NOT
#define HASHES #x ##y
#ifdef ONCE
#endif
#if __has_include("no such file") || __has_include(<neither>)
no
#else
yes
#endif
#ifdef __has_include
yes
#endif
