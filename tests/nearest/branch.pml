/* The third step decides. */
byte x;

active proctype way()
{
    x = 1;
    x = 2;
    if
    :: x = 3
    :: x = 4
    fi;
    x = 5
}
