/* 128-bit integers: arithmetic, comparison, shifts and conversions, signed and unsigned. */
#include <assert.h>
#include <stdint.h>
typedef unsigned __int128 u128;
typedef __int128 i128;
static u128 g = 7;
static i128 below = -3;
static const u128 large = ((u128)0x2360ed051fc65da4ull << 64 | 0x4385df649fccf645ull) + (u128)UINT64_MAX * 3;
static const i128 least = -(i128)1 - (i128)(~(u128)0 >> 1);
static int narrow[(u128)1 << 70 > 5 ? 2 : 3] = { (int)((u128)-1 >> 126), (u128)-1 > 0 };
static struct { char c; u128 v; } record = { 1, 5 };
static u128 product(uint64_t a, uint64_t b) { return (u128)a * b; }
static i128 sum(i128 a, i128 b) { return a + b; }
static uint64_t high(u128 v) { return (uint64_t)(v >> 64); }
int main(void) {
    assert(sizeof(u128) == 16 && sizeof record == 32);
    u128 m = product(UINT64_MAX, UINT64_MAX);
    assert(high(m) == UINT64_MAX - 1 && (uint64_t)m == 1);
    i128 a = ((i128)1 << 100) + 5;
    assert(a > 0 && a >> 100 == 1 && (int)a == 5);
    a = -a;
    assert(a < 0 && -a == ((i128)1 << 100) + 5 && sum(a, 1) > a);
    u128 x = 0;
    x--;
    assert(x == ~(u128)0 && x + 1 == 0);
    x++;
    assert(!x);
    g += 3;
    g <<= 70;
    assert(g >> 70 == 10);
    g -= 1;
    assert((uint64_t)g == UINT64_MAX);
    assert(below < 0 && (u128)below > 5 && below / 2 == -1 && below % 2 == -1);
    record.v = g;
    assert(record.v == g);
    u128 list[3] = { 1, 2 }, *p = &list[1];
    list[2] = list[0] + list[1];
    *p += 5;
    assert((*p)++ == 7 && *p == 8 && list[2] == 3);
    int n = 5;
    n += (i128)7;
    u128 c = n > 3 ? list[2] : 0;
    if (c) n = list[(i128)1 - 1];
    assert(n == 1 && c == 3 && (c ?: 9) == 3 && ((c & 1) | 4) == 5 && (c ^ 3) == 0);
    uint64_t big = 1ull << 63;
    u128 w = big;
    i128 s = (int64_t)big;
    assert(high(w) == 0 && w == big && s < 0 && (u128)s >> 127 == 1);
    for (i128 i = 0; i < 3; i++) n++;
    assert(n == 4 && high(large) == 0x2360ed051fc65da7ull && (uint64_t)large == 0x4385df649fccf642ull);
    assert(least < 0 && (u128)least == (u128)1 << 127 && narrow[0] == 3 && narrow[1] && sizeof narrow == 8);
    return 0;
}
