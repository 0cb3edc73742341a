/* The largest signed 128-bit integer plus one. */
typedef __int128 i128;
static i128 next(i128 v) {
    return v + 1;
}
int main(void) {
    i128 most = (i128)(((unsigned __int128)1 << 127) - 1);
    return next(most - 1) == most && next(most) == 0;
}
