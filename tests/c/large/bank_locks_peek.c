/* Accounts in a heap array, each with a lock; the balance is read before the locks are acquired: a race. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define ACCOUNTS 4
#define CLERKS 4
#define TRANSFERS 3

struct account {
    pthread_mutex_t lock;
    int id, balance, transfers;
};

struct bank {
    struct account *accounts;
    int count;
};

struct clerk {
    struct bank *bank;
    int number;
};

static int transfer(struct bank *bank, int from, int to, int amount)
{
    struct account *a = &bank->accounts[from], *b = &bank->accounts[to];
    struct account *first = a->id < b->id ? a : b, *second = a->id < b->id ? b : a;
    int done = 0, enough = a->balance >= amount;
    pthread_mutex_lock(&first->lock);
    pthread_mutex_lock(&second->lock);
    if (enough) {
        a->balance -= amount;
        b->balance += amount;
        a->transfers++;
        b->transfers++;
        done = 1;
    }
    pthread_mutex_unlock(&second->lock);
    pthread_mutex_unlock(&first->lock);
    return done;
}

static void *work(void *arg)
{
    struct clerk *clerk = arg;
    for (int i = 0; i < TRANSFERS; i++) {
        int from = (clerk->number + i) % clerk->bank->count;
        int to = (from + 1 + clerk->number % 2) % clerk->bank->count;
        transfer(clerk->bank, from, to, 10);
    }
    return NULL;
}

int main(void)
{
    struct bank bank = { malloc(ACCOUNTS * sizeof(struct account)), ACCOUNTS };
    struct clerk clerks[CLERKS];
    pthread_t t[CLERKS];
    int sum = 0;
    for (int i = 0; i < ACCOUNTS; i++) {
        pthread_mutex_init(&bank.accounts[i].lock, NULL);
        bank.accounts[i].id = i;
        bank.accounts[i].balance = 100;
        bank.accounts[i].transfers = 0;
    }
    for (int i = 0; i < CLERKS; i++) {
        clerks[i].bank = &bank;
        clerks[i].number = i;
        pthread_create(&t[i], NULL, work, &clerks[i]);
    }
    for (int i = 0; i < CLERKS; i++)
        pthread_join(t[i], NULL);
    for (int i = 0; i < ACCOUNTS; i++) {
        sum += bank.accounts[i].balance;
        pthread_mutex_destroy(&bank.accounts[i].lock);
    }
    assert(sum == ACCOUNTS * 100);
    free(bank.accounts);
    return 0;
}
