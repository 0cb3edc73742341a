/* The layout requested by attributes and `#pragma pack` in all positions, equal to GCC's. */
#include <assert.h>
#include <stddef.h>
#include <stdint.h>

typedef int wide __attribute__((mode(DI)));
typedef float real __attribute__((mode(DF)));
typedef int aligned_int __attribute__((aligned(16)));
struct member { char c; int x __attribute__((aligned(16))); char d; };
struct tight_member { char c; int x __attribute__((packed)); char d; };
struct named { char c; aligned_int x; };
typedef struct { char c; } line __attribute__((aligned(64)));
struct lines { char c; line x; };
struct pointer { char c; int *p __attribute__((packed)); };
struct array { char c; int x[3] __attribute__((aligned(32))); };
struct bits { char c; int a : 3 __attribute__((packed)); int b : 30 __attribute__((packed)); };
#pragma pack(push, 1)
struct header { uint8_t kind; uint32_t length; uint16_t sum; };
#pragma pack(2)
struct two { char c; int x; short s; };
#pragma pack(pop)
struct free_again { char c; int x; };
_Pragma("pack(4)") struct four { char c; double d; };
#pragma pack()
struct free_too { char c; double d; };

int main(void)
{
    _Static_assert(sizeof(wide) == 8 && sizeof(real) == 8 && _Alignof(aligned_int) == 16, "");
    _Static_assert(sizeof(struct member) == 32 && offsetof(struct member, d) == 20, "");
    _Static_assert(sizeof(struct tight_member) == 6 && sizeof(struct named) == 32, "");
    _Static_assert(sizeof(line) == 1 && _Alignof(line) == 64 && sizeof(struct lines) == 128, "");
    _Static_assert(sizeof(struct pointer) == 9 && sizeof(struct array) == 64 && sizeof(struct bits) == 6, "");
    _Static_assert(sizeof(struct header) == 7 && offsetof(struct header, sum) == 5, "");
    _Static_assert(sizeof(struct two) == 8 && offsetof(struct two, x) == 2, "");
    _Static_assert(sizeof(struct free_again) == 8 && sizeof(struct four) == 12, "");
    _Static_assert(sizeof(struct free_too) == 16, "");
    unsigned char wire[7] = { 1, 4, 3, 2, 1, 7, 0 };
    struct header *h = (struct header *)wire;
    assert(h->length == 0x01020304 && h->sum == 7);
    return 0;
}
