/* ATM simulation with C11 atomics. */
#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <threads.h>

typedef struct {
  atomic_int balance;
  atomic_int refused;
} account;

static account acc;

static bool withdraw(account *a, int amount) {
  if (atomic_load(&a->balance) >= amount) {
    atomic_fetch_sub(&a->balance, amount);
    return true;
  }
  atomic_fetch_add(&a->refused, 1);
  return false;
}

static int atm(void *arg) {
  int amount = *(int *)arg;
  if (!withdraw(&acc, amount))
    puts("insufficient funds");
  return 0;
}

int main(void) {
  thrd_t t[2];
  int amounts[2] = {70, 50};

  atomic_init(&acc.balance, 100);
  for (int i = 0; i < 2; i++)
    if (thrd_create(&t[i], atm, &amounts[i]) != thrd_success)
      return 1;
  for (int i = 0; i < 2; i++)
    thrd_join(t[i], NULL);
  printf("balance %d\n", atomic_load(&acc.balance));
  assert(atomic_load(&acc.balance) >= 0);
  return 0;
}
