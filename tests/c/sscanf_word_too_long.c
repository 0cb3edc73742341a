/* A word is too long for the array: its terminator is written beyond the end. */
#include <stdio.h>

int main(void)
{
    char word[4];
    return sscanf("four more", "%s", word) != 1 || word[0] != 'f';
}
