#def\
ine AB\
C 1 \
+ 2
ABC
"str\
ing" id\
ent 12\
34 +\
+ -\
>
// comment \
more
/\
* block *\
/ after
#if 1 \
 && 0
no
#else
yes
#endif
