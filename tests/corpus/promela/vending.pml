/* Coffee machine: coins, a choice, timeouts. */
mtype = { coin5, coin10, coffee, tea, refund, reset }

chan slot   = [0] of { mtype };
chan button = [0] of { mtype };
chan tray   = [0] of { mtype, byte };

byte box = 0;           /* money in the machine */
byte spent = 0;
byte cups = 0;

#define PRICE 10
#define PURSE 20

active proctype Machine()
{
    byte credit = 0;

end:
    do
    :: credit < PRICE ->
        if
        :: slot?coin5  -> credit = credit + 5;  box = box + 5
        :: slot?coin10 -> credit = credit + 10; box = box + 10
        :: credit > 0 -> button?refund ->
            box = box - credit; tray!refund(credit); credit = 0
        fi
    :: credit >= PRICE ->
        if
        :: button?coffee -> credit = credit - PRICE; cups++; tray!coffee(0)
        :: button?tea    -> credit = credit - PRICE; cups++; tray!tea(0)
        :: button?refund -> box = box - credit; tray!refund(credit); credit = 0
        fi
    od
}

active proctype Customer()
{
    byte purse = PURSE, back;
    mtype what;

    do
    :: purse >= 10 ->
        slot!coin10; purse = purse - 10; spent = spent + 10;
        if
        :: button!coffee
        :: button!tea
        :: button!refund
        fi;
        tray?what(back);
        purse = purse + back; spent = spent - back
    :: purse >= 10 ->
        slot!coin5; purse = purse - 5; spent = spent + 5;
        if
        :: slot!coin5; purse = purse - 5; spent = spent + 5; button!tea
        :: button!refund
        fi;
        tray?what(back);
        purse = purse + back; spent = spent - back
    :: break
    od;
    assert(purse + spent == PURSE);
    assert(box == spent);
    assert(cups * PRICE == box)
}
