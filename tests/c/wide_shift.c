/* A shift by the width of a 128-bit integer. */
int main(void) {
    unsigned __int128 one = 1;
    for (int i = 126; i < 129; i++)
        if (one << i == 0) return 1;
    return 0;
}
