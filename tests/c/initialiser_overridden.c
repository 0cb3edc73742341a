/* An initialiser of a whole object overrides those of its parts (C11 6.7.9p19). */
#include <assert.h>

struct entry { char name[6]; int value; };
struct entry table[] = { { "lock", 1 }, { "unlock", 2 }, [0] = { .name[0] = 'x' } };
int grid[2][2] = { { 1, 2 }, { 3, 4 }, [0] = { 5 }, { 6 } };

int main(void)
{
    struct { struct entry e; } s = { .e = { "abc", 3 }, .e = { "d" } };
    assert(table[0].value == 0 && table[0].name[0] == 'x' && table[0].name[1] == 0);
    assert(table[1].value == 2);
    assert(grid[0][0] == 5 && grid[0][1] == 0 && grid[1][0] == 6 && grid[1][1] == 0);
    assert(s.e.value == 0 && s.e.name[0] == 'd' && s.e.name[1] == 0);
    return 0;
}
