#include <stdio.h>

/*
 * C version of alternating bit protocol
 */

typedef char uchar;

typedef struct Buffer {
    int size;          /* current size of buffer */
    uchar *cont;      /* buffer contents */
} Buffer;

extern int get_data(Buffer *);
extern int put_data(Buffer *);

int
abp_sender(int N)
{
    Buffer  Bufinp, Bufout;
    short  s, S=0, cnt=0;

    Bufout.size = 1;
    Bufout.cont = "M";
    while (get_data(&Bufout))
    {
        cnt++;
        send(&Bufout, S);
        if (!recv(&Bufinp, &s))
            break;
        if (s == S)
            S = 1 - S;
    }
    return cnt;
}

int
abp_receiver(void)
{
    Buffer  Bufinp, Bufout;
    short  s, E=0, cnt=0;

    Bufout.size = 1;
    Bufout.cont = "A";
    while (recv(&Bufinp, &s))
    {
        cnt++;
        send(&Bufout, s);
        if (s == E)
        {
            E = 1 - E;
            if (!put_data(&Bufinp))
                break;
        }
    }
    return cnt;
}
