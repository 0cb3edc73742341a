// A formula observes an automatic variable that holds an input.
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int v = __VERIFIER_nondet_int();
  if (v < 0 || v > 5000) v = 0;
  while (v > 0) v--;
  return 0;
}
