/* Multidimensional variable-length arrays: as variables, parameters, types and pointer targets. */
#include <assert.h>
#include <stdlib.h>

static int calls;

static int three(void)
{
    calls++;
    return 3;
}

static int sum(int n, int m, int a[n][m])
{
    int s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            s += a[i][j];
    return s;
}

static int diagonal(int n, int (*p)[n])
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s += p[i][i];
    return s;
}

void in_any_order(int, int (*)[*]);
void prototype(int n, int a[n][n], int b[*][n]);

static int deep(int x, int y, int z, char a[x][y][z])
{
    assert(sizeof a[0] == (size_t)(y * z) && sizeof **a == (size_t)z);
    return a[x - 1][y - 1][z - 1];
}

/* What stands in the outermost brackets is evaluated, though the parameter is a pointer. */
static size_t effects(int n, int k, int a[k++], int b[three()][n])
{
    (void)a;
    assert(k == 3);
    return sizeof *b;
}

int outer;

static size_t of_the_file(int a[][outer], int outer)
{
    return sizeof *a + outer;
}

static void sizes(void)
{
    int n = 3, m = 4, x = 2;
    int a[n][m], b[n][3], c[3][n];
    n = 5;
    assert(sizeof a == 48 && sizeof b == 36 && sizeof c == 36);
    assert(sizeof a[0] == 16 && sizeof c[1] == 12 && sizeof(a[1][2]) == 4);
    typedef int row[m];
    m = 9;
    row r;
    assert(sizeof r == 16 && sizeof(row) == 16);
    assert(sizeof(int[x++]) == 8 && x == 3 && sizeof(int[2][x]) == 24);
    assert(sizeof a[--x] == 16 && x == 2);
    calls = 0;
    int t[three()][three()];
    assert(calls == 2 && sizeof t == 36);
    int k = 2;
    char order[k++][k++][k];
    assert(k == 4 && sizeof order == 12 && sizeof order[0] == 4 && sizeof order[0][0] == 2);
    typeof(t) u;
    assert(sizeof u == 36);
    for (int k = 1; k < 4; k++) {
        int l[k][k];
        l[k - 1][k - 1] = k;
        assert(sizeof l == 4u * k * k && l[k - 1][k - 1] == k);
    }
}

static void pointers(void)
{
    int n = 3, m = 4;
    int a[n][m];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i][j] = i * m + j;
    assert(sum(n, m, a) == 66);
    assert(&a[2] - &a[0] == 2 && (char *)&a[1] - (char *)a == 16 && &a[1][0] - &a[0][0] == 4);
    int (*p)[m] = a;
    assert((*p++)[1] == 1 && (*p)[0] == 4 && (*++p)[0] == 8);
    p--;
    p -= 1;
    assert(p == a);
    p += 2;
    assert(p[-1][3] == 7 && 2 [a][0] == 8 && *(*(a + 1) + 2) == 6);
    assert((*p--)[0] == 8 && p == a + 1);
    for (int (*it)[m] = a; it < a + 3; it++)
        assert((*it)[0] == 4 * (int)(it - a));
    int (*whole)[n][m] = &a;
    assert(sizeof *whole == 48 && (*whole)[1][1] == 5);
    int flat[12];
    for (int i = 0; i < 12; i++)
        flat[i] = i;
    assert(((int (*)[m])flat)[1][2] == 6);
    static int (*kept)[12];
    kept = &flat;
    assert((*kept)[4] == 4);
    assert(effects(3, 2, flat, (void *)flat) == 12);
}

int main(void)
{
    sizes();
    pointers();
    int n = 3, m = 4;
    int (*d)[m] = malloc(n * sizeof *d);
    if (!d)
        return 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            d[i][j] = 1;
    assert(sum(n, m, d) == 12 && diagonal(n, (int (*)[n])d) == 3);
    free(d);
    char q[2][3][4];
    q[1][2][3] = 7;
    assert(deep(2, 3, 4, q) == 7);
    outer = 3;
    int file[2][3];
    assert(of_the_file(file, 1) == 13);
    return 0;
}
