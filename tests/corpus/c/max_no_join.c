/* maximum of an array in two halves */
#include <stdio.h>
#include <stdlib.h>
#include <pthread.h>

typedef struct range { int *base; int n; int *max; } range;

static void *find_max(void *v)
{
  range *r = v;
  int m = r->base[0];
  for (int i = 1; i < r->n; i++)
    if (r->base[i] > m)
      m = r->base[i];
  *r->max = m;
  return NULL;
}

int main(void)
{
  int a[6] = { 4, 8, 15, 16, 23, 42 };
  int *max = malloc(2 * sizeof(int));
  pthread_t t[2];
  range r[2] = { { a, 3, &max[0] }, { a + 3, 3, &max[1] } };

  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, find_max, &r[i]);

  pthread_join(t[0], NULL);
  int best = max[0] > max[1] ? max[0] : max[1];
  pthread_join(t[1], NULL);

  printf("max = %d\n", best);
  free(max);
  return 0;
}
