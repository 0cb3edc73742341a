static int sign(int x) { if (x > 0) return 1; if (x < 0) return -1; }
int main(void) { int s = sign(0); return s == 1; }
