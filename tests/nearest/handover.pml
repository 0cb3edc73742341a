/* A rendezvous and an atomic sequence are steps with several parts. */
chan line = [0] of { byte };
byte got, lost;

active proctype sender()
{
    line!7;
    if
    :: atomic { got = 1; got = 2 }
    :: atomic { got = 1; lost = 1 }
    fi
}

active proctype receiver()
{
    byte value;
    line?value
}
