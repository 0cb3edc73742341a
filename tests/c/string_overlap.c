/* `strcpy` with overlapping arguments. */
#include <string.h>

int main(void)
{
    char text[8] = "abcd";
    strcpy(text + 1, text);
    return text[0];
}
