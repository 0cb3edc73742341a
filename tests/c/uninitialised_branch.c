int main(void) { int a[2]; a[0] = 1; if (a[1]) return 1; return 0; }
