#include <stdio.h>
#include <stdlib.h>

#define MaxI	100000
#define MaxD	64

int debug = 0;

void
assert(int e)
{
	if (!e)
	{	printf("stack overflow\n");
		exit(1);
	}
}

#define swap(i,j)	temp = v[i]; v[i] = v[j]; v[j] = temp
#define putQ(x,y)	assert(Qsz < MaxD); from[Qin] = x; \
			upto[Qin] = y; Qin = (Qin+1)%MaxD; Qsz++
#define getQ()	a = from[Qout]; b = upto[Qout]; Qout = (Qout+1)%MaxD; Qsz--

void
main(void)
{	int i, n, j, k, last, temp;
	int v[MaxI], from[MaxD], upto[MaxD];
	int Qin=0, Qout=0, Qsz=0, a, b;

	for (n = 0; n < MaxI; n++)
		if (fscanf(stdin, "%d", &v[n]) == EOF)
			break;

	if (n == 0) goto done;

	putQ(0, n-1);
	while (Qsz > 0)
	{	getQ();
		if (b-a <= 0)
			continue;
		k = a+rand()%(b-a);
		swap(a, k);
		last = a;
		for (i = a+1; i <= b; i++)
			if (v[i] < v[a])
			{	last++;
				swap(last, i);
			}
		swap(a, last);
		putQ(a, last);
		putQ(last+1, b);
	}
done:
	for (j = 0; j < n; j++)
		printf("%d\n", v[j]);
	exit(0);
}
