#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <assert.h>

/* Configuration which is loaded once, by whichever thread asks first. */

typedef struct config {
    char host[16];
    int  port;
    int  loads;
} config_t;

static config_t       *cfg;
static pthread_once_t  cfg_once = PTHREAD_ONCE_INIT;

static const char *text = "host=localhost;port=8080;";

static void parse_pair(const char *key, size_t klen, const char *val, size_t vlen)
{
    char tmp[16];

    if (vlen >= sizeof tmp)
        vlen = sizeof tmp - 1;
    memcpy(tmp, val, vlen);
    tmp[vlen] = 0;
    if (klen == 4 && strncmp(key, "host", 4) == 0)
        strcpy(cfg->host, tmp);
    else if (klen == 4 && strncmp(key, "port", 4) == 0)
        cfg->port = (int)strtol(tmp, NULL, 10);
    else {
        fprintf(stderr, "unknown key %.*s\n", (int)klen, key);
        exit(2);
    }
}

static void load(void)
{
    const char *p = text;

    cfg = calloc(1, sizeof *cfg);
    if (cfg == NULL)
        exit(1);
    cfg->loads++;
    while (*p) {
        const char *eq = strchr(p, '=');
        const char *semi = strchr(p, ';');
        if (eq == NULL || semi == NULL)
            break;
        parse_pair(p, (size_t)(eq - p), eq + 1, (size_t)(semi - eq - 1));
        p = semi + 1;
    }
}

static config_t *get_config(void)
{
    pthread_once(&cfg_once, load);
    return cfg;
}

static void *server(void *arg)
{
    config_t *c = get_config();

    (void)arg;
    assert(c->port == 8080);
    assert(strcmp(c->host, "localhost") == 0);
    assert(c->loads == 1);
    return NULL;
}

int main(void)
{
    pthread_t tid[3];
    int i;

    for (i = 0; i < 3; i++)
        if (pthread_create(&tid[i], NULL, server, NULL) != 0) {
            perror("pthread_create");
            return 1;
        }
    for (i = 0; i < 3; i++)
        pthread_join(tid[i], NULL);
    free(cfg);
    return 0;
}
