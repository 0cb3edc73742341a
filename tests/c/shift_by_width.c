/* A shift by the whole width has no value, whichever way. */
int main(int argc, char **argv) {
    unsigned one = (unsigned)argc;
    (void)argv;
    one = one << 31;
    return (int)(one >> (argc * 32));
}
