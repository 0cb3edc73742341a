/* More of library.c: numbers in the order of the network, and addresses in text. */
unsigned short htons(unsigned short v) { return (unsigned short)(v << 8 | v >> 8); }
unsigned short ntohs(unsigned short v) { return (unsigned short)(v << 8 | v >> 8); }
unsigned htonl(unsigned v) { return __builtin_bswap32(v); }
unsigned ntohl(unsigned v) { return __builtin_bswap32(v); }
const struct __axle_in6 { unsigned at[4]; } in6addr_any = { { 0 } }, in6addr_loopback = { { 0, 0, 0, 0x01000000 } };
/* One to four numbers, the last of which fills the rest; each is decimal, octal or hexadecimal. */
int inet_aton(const char *s, unsigned *to)
{
    unsigned parts = 0;
    unsigned long long v = 0, whole = 0;
    for (;; s++) {
        char *end;
        if (!isdigit((unsigned char)*s)) return 0;
        v = strtoull(s, &end, 0);
        if (v > 0xffffffffull) return 0;
        s = end;
        if (*s != '.') break;
        if (v > 255 || ++parts > 3) return 0;
        whole = whole << 8 | v;
    }
    if (*s && !isspace((unsigned char)*s)) return 0;
    if (v >> (32 - 8 * parts)) return 0;
    if (to) *to = htonl((unsigned)(whole << (32 - 8 * parts) | v));
    return 1;
}
unsigned inet_addr(const char *s)
{
    unsigned v;
    return inet_aton(s, &v) ? v : 0xffffffffu;
}
