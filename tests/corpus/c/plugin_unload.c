/*
 * Callback table.  A plugin may be unloaded while events are delivered; the
 * table is protected by a mutex, delivery happens outside of it.
 */
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>

#define MAX_PLUGINS 2

typedef int (*hook_t)(int event, void *priv);

struct plugin {
    const char *name;
    hook_t      hook;
    void       *priv;
};

static int count_hook(int event, void *priv)
{
    int *n = priv;
    *n += event;
    return 0;
}

static int n_events;
static struct plugin plugins[MAX_PLUGINS] = {
    { "counter", count_hook, &n_events },
    { NULL, NULL, NULL },
};
static pthread_mutex_t plugins_lock = PTHREAD_MUTEX_INITIALIZER;

static int plugin_loaded(int i)
{
    int yes;
    pthread_mutex_lock(&plugins_lock);
    yes = plugins[i].hook != NULL;
    pthread_mutex_unlock(&plugins_lock);
    return yes;
}

static hook_t plugin_hook(int i)
{
    hook_t h;
    pthread_mutex_lock(&plugins_lock);
    h = plugins[i].hook;
    pthread_mutex_unlock(&plugins_lock);
    return h;
}

static void plugin_unload(int i)
{
    pthread_mutex_lock(&plugins_lock);
    plugins[i].hook = NULL;
    plugins[i].name = NULL;
    pthread_mutex_unlock(&plugins_lock);
}

static void *dispatcher(void *arg)
{
    int ev = *(int *)arg;

    for (int i = 0; i < MAX_PLUGINS; i++) {
        if (!plugin_loaded(i))
            continue;
        hook_t h = plugin_hook(i);
        if (h(ev, &n_events) != 0)
            fprintf(stderr, "plugin %d failed\n", i);
    }
    return NULL;
}

static void *admin(void *arg)
{
    plugin_unload(*(int *)arg);
    return NULL;
}

int main(void)
{
    pthread_t d, a;
    int ev = 1, which = 0;

    pthread_create(&d, NULL, dispatcher, &ev);
    pthread_create(&a, NULL, admin, &which);
    pthread_join(d, NULL);
    pthread_join(a, NULL);
    printf("%d events\n", n_events);
    return 0;
}
