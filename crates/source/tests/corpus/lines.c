__LINE__
#line 100
__LINE__ __FILE__
#line 7 "other.c"
__LINE__ __FILE__
# 50 "marker.h" 3
__LINE__ __FILE__
#define L __LINE__
L
L /*

*/ L
x \
y \
__LINE__
__LINE__
#define id(x) x __LINE__
id(
1
2
) __LINE__
z
# 3 "quote\"d.c"
__FILE__
#define NUM 33
#line NUM "mac.c"
__LINE__
__COUNTER__ __COUNTER__
__INCLUDE_LEVEL__
#define own(x) x __LINE__
#define wrapped(x) own(x)
own(
__LINE__
) __LINE__
wrapped(
__LINE__

)
own(own(
__LINE__
)
)
own(
L
)
