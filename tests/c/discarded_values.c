/* Values that are read and dropped need not be set, and what has none is not read. */
struct point {
    int x, y;
};

int main(void)
{
    struct point at;
    struct unknown *nowhere = 0;
    struct {
    } empty;
    void *nothing = 0;
    int grid[2][3];
    at;
    at.x;
    (void)at;
    ({ at; });
    empty;
    *nothing;
    &*nowhere;
    grid[1];
    return 0;
}
