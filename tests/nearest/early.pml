/* The first step decides what happens in the fifth. */
byte armed, x;

active proctype device()
{
    if
    :: armed = 1
    :: armed = 2
    fi;
    x = 1;
    x = 2;
    if
    :: armed == 1 -> x = 9
    :: armed == 2 -> x = 3
    fi
}
