#include <stdio.h>

/*
 * C version of alternating bit protocol
 * to show that the code need not be
 * structured as a state machine, as
 * with the @ format
 * GJH 3/6/2000
 */
typedef char uchar;

typedef struct Buffer {
	int size;	/* current size of buffer */
	uchar *cont;	/* buffer contents */
} Buffer;

extern int get_data(Buffer *);
extern int put_data(Buffer *);

int
abp_sender(int N)
{	Buffer Bufinp, Bufout;
	short s, S=0, cnt=0;

	Bufout.size = 1;
	Bufout.cont = "M";
	while (cnt++ < N)
	{	if (!get_data(&Bufout))
			break;
		send(&Bufout, S);
		recv(&Bufinp, &s);
		if (*Bufinp == 'A' && s == S)
			S = 1 - S;
	}
	return cnt;
}

int
abp_receiver(void)
{	Buffer Bufinp, Bufout;
	short s, E=0, cnt=0;

	Bufout.size = 1;
	Bufout.cont = "A";
	while (recv(&Bufinp, &s))
	{	cnt++;
		send(&Bufout, s);
		if (s == E)
		{	if (!put_data(&Bufinp))
				break;
			E = 1 - E;
	}	}
	return cnt;
}
