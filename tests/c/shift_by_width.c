/* A shift by the full width is undefined in either direction. */
int main(int argc, char **argv) {
    unsigned one = (unsigned)argc;
    (void)argv;
    one = one << 31;
    return (int)(one >> (argc * 32));
}
