#include <pthread.h>
#include <stdio.h>

typedef struct Account {
  double balance;
  pthread_mutex_t mutex;
} Account;

static Account alice = { 1000.0, PTHREAD_MUTEX_INITIALIZER };
static Account bob   = { 500.0,  PTHREAD_MUTEX_INITIALIZER };

static void transfer(Account *from, Account *to, double amount)
{
  pthread_mutex_lock(&from->mutex);
  pthread_mutex_lock(&to->mutex);
  if (from->balance >= amount) {
    from->balance -= amount;
    to->balance += amount;
  }
  pthread_mutex_unlock(&to->mutex);
  pthread_mutex_unlock(&from->mutex);
}

static void *pay_rent(void *arg)
{
  (void)arg;
  transfer(&alice, &bob, 300.0);
  return NULL;
}

static void *pay_back(void *arg)
{
  (void)arg;
  transfer(&bob, &alice, 50.0);
  return NULL;
}

int main(void)
{
  pthread_t t1, t2;
  pthread_create(&t1, NULL, pay_rent, NULL);
  pthread_create(&t2, NULL, pay_back, NULL);
  pthread_join(t1, NULL);
  pthread_join(t2, NULL);
  printf("alice %.2f, bob %.2f\n", alice.balance, bob.balance);
  return 0;
}
