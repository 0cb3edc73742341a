/* A discarded value is read, also for a structure: here through a null pointer. */
struct point {
    int x, y;
};

static struct {
    int n;
    struct point at;
} *shape;

int main(void)
{
    shape->at;
    return 0;
}
