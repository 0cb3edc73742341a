/* A word is read that the array has no room for: its end is written behind it. */
#include <stdio.h>

int main(void)
{
    char word[4];
    return sscanf("four more", "%s", word) != 1 || word[0] != 'f';
}
