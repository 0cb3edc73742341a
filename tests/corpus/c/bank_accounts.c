/*
 * Homework 3: bank simulation.
 *
 * Tellers move money between accounts.  Locks of two accounts are always
 * taken in the order of the account numbers, so there is no deadlock.
 * An auditor checks that no money is created or lost.
 */
#include <stdio.h>
#include <stdlib.h>
#include <assert.h>
#include <pthread.h>

#define NUM_ACCOUNTS 3
#define NUM_TELLERS  2
#define INITIAL      100

struct account {
    int             id;
    int             balance;
    pthread_mutex_t lock;
};

struct order {
    int from;
    int to;
    int amount;
};

static struct account accounts[NUM_ACCOUNTS];

static const struct order orders[NUM_TELLERS][2] = {
    { { 0, 1, 30 }, { 1, 2, 50 } },
    { { 2, 0, 10 }, { 1, 0, 500 } },
};

static void account_init(struct account *a, int id)
{
    a->id = id;
    a->balance = INITIAL;
    if (pthread_mutex_init(&a->lock, NULL) != 0) {
        fprintf(stderr, "cannot initialise mutex\n");
        exit(EXIT_FAILURE);
    }
}

static void lock_two(struct account *a, struct account *b)
{
    if (a->id < b->id) {
        pthread_mutex_lock(&a->lock);
        pthread_mutex_lock(&b->lock);
    } else {
        pthread_mutex_lock(&b->lock);
        pthread_mutex_lock(&a->lock);
    }
}

static int transfer(const struct order *o)
{
    struct account *src = &accounts[o->from];
    struct account *dst = &accounts[o->to];
    int ok = 0;

    lock_two(src, dst);
    if (src->balance >= o->amount) {
        src->balance -= o->amount;
        dst->balance += o->amount;
        ok = 1;
    }
    pthread_mutex_unlock(&src->lock);
    pthread_mutex_unlock(&dst->lock);
    return ok;
}

static void *teller(void *arg)
{
    const struct order *o = arg;
    int i;

    for (i = 0; i < 2; i++) {
        if (!transfer(&o[i]))
            printf("transfer of %d from %d to %d refused\n",
                   o[i].amount, o[i].from, o[i].to);
    }
    return NULL;
}

static void *auditor(void *arg)
{
    int i, total = 0;

    (void)arg;
    for (i = 0; i < NUM_ACCOUNTS; i++)
        pthread_mutex_lock(&accounts[i].lock);
    for (i = 0; i < NUM_ACCOUNTS; i++) {
        assert(accounts[i].balance >= 0);
        total += accounts[i].balance;
    }
    for (i = NUM_ACCOUNTS - 1; i >= 0; i--)
        pthread_mutex_unlock(&accounts[i].lock);
    assert(total == NUM_ACCOUNTS * INITIAL);
    return NULL;
}

int main(void)
{
    pthread_t tellers[NUM_TELLERS], aud;
    int i, total = 0;

    for (i = 0; i < NUM_ACCOUNTS; i++)
        account_init(&accounts[i], i);
    for (i = 0; i < NUM_TELLERS; i++)
        pthread_create(&tellers[i], NULL, teller, (void *)orders[i]);
    pthread_create(&aud, NULL, auditor, NULL);

    for (i = 0; i < NUM_TELLERS; i++)
        pthread_join(tellers[i], NULL);
    pthread_join(aud, NULL);

    for (i = 0; i < NUM_ACCOUNTS; i++) {
        printf("account %d: %d\n", i, accounts[i].balance);
        total += accounts[i].balance;
        pthread_mutex_destroy(&accounts[i].lock);
    }
    assert(total == NUM_ACCOUNTS * INITIAL);
    return 0;
}
