// Every value of a range of an input is observed by a formula, though the program only copies it.
extern int __VERIFIER_nondet_int(void);
int x;
int main(void) {
  int v = __VERIFIER_nondet_int();
  if (v >= 0 && v < 6) x = v;
  return 0;
}
