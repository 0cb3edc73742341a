/* The access leaves the inner array, but not the enclosing structure. */
struct packet { char name[4]; int length; };
int main(void)
{
    struct packet p = { "abc", 1 };
    for (int i = 0; i <= 4; i++) p.name[i] = 'x';
    return p.length == 1;
}
