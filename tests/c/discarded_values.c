/* Discarded values may be indeterminate, and values of type void are not read. */
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
