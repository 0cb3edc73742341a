struct s { int a; char pad; long b; };
int main(void) { struct s x, y; x.a = 1; y = x; return y.a - 1; }
