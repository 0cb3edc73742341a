/* Per-thread buffers with pthread_key_t, as in the C library's strerror. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <assert.h>

#define BUFLEN 24

static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int destroyed;
static pthread_mutex_t dlock = PTHREAD_MUTEX_INITIALIZER;
static __thread int last_code;

static void destructor(void *buf)
{
  free(buf);
  pthread_mutex_lock(&dlock);
  destroyed++;
  pthread_mutex_unlock(&dlock);
}

static void create_key(void)
{
  int s = pthread_key_create(&key, destructor);
  if (s != 0) {
    fprintf(stderr, "pthread_key_create: %s\n", strerror(s));
    exit(EXIT_FAILURE);
  }
}

static char *describe(int code)
{
  char *buf;

  pthread_once(&once, create_key);
  buf = pthread_getspecific(key);
  if (buf == NULL) {
    buf = malloc(BUFLEN);
    if (buf == NULL)
      abort();
    if (pthread_setspecific(key, buf) != 0)
      abort();
  }
  last_code = code;
  if (code == 0)
    strncpy(buf, "no error", BUFLEN - 1);
  else
    snprintf(buf, BUFLEN, "unknown error %d", code);
  buf[BUFLEN - 1] = '\0';
  return buf;
}

static void *thread_func(void *arg)
{
  char *mine = describe(77);
  (void)arg;
  assert(last_code == 77);
  assert(strcmp(mine, "unknown error 77") == 0);
  return NULL;
}

int main(void)
{
  pthread_t t;
  char *str = describe(0);
  int s;

  s = pthread_create(&t, NULL, thread_func, NULL);
  if (s != 0)
    exit(EXIT_FAILURE);
  s = pthread_join(t, NULL);
  if (s != 0)
    exit(EXIT_FAILURE);
  assert(strcmp(str, "no error") == 0);
  assert(last_code == 0);
  assert(destroyed == 1);
  return 0;
}
