/* Shop inventory.  Returns with an error code when the item is unknown. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define ITEMS 2

struct item {
    const char *name;
    int         stock;
};

static struct item shop[ITEMS] = { { "apple", 3 }, { "pear", 1 } };
static pthread_mutex_t shop_mutex = PTHREAD_MUTEX_INITIALIZER;

static int find(const char *name)
{
    for (int i = 0; i < ITEMS; i++)
        if (!strcmp(shop[i].name, name))
            return i;
    return -1;
}

static int buy(const char *name, int amount)
{
    int i, ret = 0;

    if (amount <= 0)
        return -EINVAL;

    pthread_mutex_lock(&shop_mutex);
    i = find(name);
    if (i < 0)
        return -ENOENT;
    if (shop[i].stock < amount)
        ret = -EAGAIN;
    else
        shop[i].stock -= amount;
    pthread_mutex_unlock(&shop_mutex);
    return ret;
}

static void *customer(void *arg)
{
    const char *wish = arg;
    int rc = buy(wish, 1);

    if (rc < 0)
        fprintf(stderr, "cannot buy %s: %s\n", wish, strerror(-rc));
    return NULL;
}

int main(void)
{
    static const char *wishes[] = { "apple", "plum", "pear" };
    pthread_t c[3];

    for (int i = 0; i < 3; i++)
        pthread_create(&c[i], NULL, customer, (void *)wishes[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(c[i], NULL);
    printf("left: %d apples, %d pears\n", shop[0].stock, shop[1].stock);
    return 0;
}
