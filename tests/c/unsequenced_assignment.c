/* The increment and the assignment both change `i`, and nothing says which comes first. */
int main(void)
{
    int i = 1;
    i = i++ + 1;
    return i == 2 ? 0 : 1;
}
