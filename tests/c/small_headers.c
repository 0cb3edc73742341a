/* Headers that only define names, and glibc functions beyond those of C. */
#define _GNU_SOURCE
#include <assert.h>
#include <byteswap.h>
#include <ctype.h>
#include <endian.h>
#include <inttypes.h>
#include <iso646.h>
#include <stdio.h>
#include <string.h>
#include <uchar.h>

int main(void)
{
    char text[40], *end;
    uint8_t small;
    intmax_t large;
    int_fast16_t fast = INT_FAST16_MAX;
    assert(sscanf("200 -5", "%" SCNu8 " %" SCNdMAX, &small, &large) == 2 and small == 200 and large == -5);
    sprintf(text, "%" PRIdFAST16 " %" PRIXLEAST8 " %" PRIoMAX, fast, (uint_least8_t)255, (uintmax_t)8);
    assert(strcmp(text, "9223372036854775807 FF 10") == 0);
    assert(bswap_16(0x1234) == 0x3412 and be32toh(0x12345678u) == bswap_32(0x12345678u) and le16toh(7) == 7);
    assert(not isascii(128) and isascii(127) and toascii(200) == 72);
    assert(ffsl(0) == 0 and ffsl(8) == 4 and ffsll(1ll << 40) == 41);
    strcpy(text, "a needle, a pin");
    assert(memrchr(text, 'a', strlen(text)) == text + 10 and memrchr(text, 'z', strlen(text)) == NULL);
    assert(memmem(text, 15, "pin", 3) == text + 12 and memmem(text, 14, "pin", 3) == NULL);
    assert(memccpy(text, "one,two", ',', 8) == text + 4 and memccpy(text, "one", 'z', 3) == NULL);
    end = stpncpy(text, "abc", 5);
    assert(end == text + 3 and text[4] == 0);
    char16_t wide[] = u"ab";
    return wide[1] != u'b';
}
