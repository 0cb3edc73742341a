// More values than are tried reach a variable that a formula observes.
extern int __VERIFIER_nondet_int(void);
int x;
int main(void) {
  x = __VERIFIER_nondet_int();
  return 0;
}
