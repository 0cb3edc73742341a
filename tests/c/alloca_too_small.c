/* A write one byte beyond memory of `alloca`. */
#include <alloca.h>

int main(void)
{
    char *text = alloca(4);
    for (int i = 0; i <= 4; i++)
        text[i] = 'a';
    return text[0] == 'b';
}
