/* The output of wide characters is unknown. */
#include <stddef.h>
#include <stdio.h>

int main(void)
{
    wchar_t text[] = L"wide";
    printf("%ls\n", text);
    return 0;
}
