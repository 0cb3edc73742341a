/* Lazy creation of a singleton with double-checked locking */

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct _Registry Registry;
struct _Registry
{
  int    n_entries;
  char  *names[4];
};

static Registry        *default_registry = NULL;
static pthread_mutex_t  registry_lock = PTHREAD_MUTEX_INITIALIZER;

static Registry *
registry_new (void)
{
  Registry *self = calloc (1, sizeof (Registry));

  if (self == NULL)
    abort ();
  self->names[self->n_entries++] = "default";
  return self;
}

Registry *
registry_get_default (void)
{
  if (default_registry == NULL)
    {
      pthread_mutex_lock (&registry_lock);
      if (default_registry == NULL)
        default_registry = registry_new ();
      pthread_mutex_unlock (&registry_lock);
    }
  return default_registry;
}

static void *
user (void *data)
{
  Registry *r = registry_get_default ();

  (void) data;
  printf ("%d entries, first %s\n", r->n_entries, r->names[0]);
  return NULL;
}

int
main (void)
{
  pthread_t a, b;

  pthread_create (&a, NULL, user, NULL);
  pthread_create (&b, NULL, user, NULL);
  pthread_join (a, NULL);
  pthread_join (b, NULL);
  free (default_registry);
  return 0;
}
