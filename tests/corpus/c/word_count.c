/* mapreduce word count over the command line arguments */
#include <ctype.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAXWORDS 8

struct pair {
	char *word;
	int count;
};

struct result {
	struct pair pairs[MAXWORDS];
	int n;
};

static struct result global;
static pthread_mutex_t glock = PTHREAD_MUTEX_INITIALIZER;

static void
emit(struct result *r, const char *w, int count)
{
	int i;

	for (i = 0; i < r->n; i++)
		if (!strcmp(r->pairs[i].word, w)) {
			r->pairs[i].count += count;
			return;
		}
	if (r->n == MAXWORDS) {
		fprintf(stderr, "too many words\n");
		exit(1);
	}
	r->pairs[r->n].word = strdup(w);
	r->pairs[r->n].count = count;
	r->n++;
}

static void *
mapper(void *arg)
{
	struct result local = { .n = 0 };
	char *text = arg, word[16];
	size_t len = 0;
	int i;

	for (;; text++) {
		if (isalpha((unsigned char)*text)) {
			if (len < sizeof(word) - 1)
				word[len++] = tolower((unsigned char)*text);
			continue;
		}
		if (len > 0) {
			word[len] = '\0';
			emit(&local, word, 1);
			len = 0;
		}
		if (*text == '\0')
			break;
	}

	pthread_mutex_lock(&glock);
	for (i = 0; i < local.n; i++)
		emit(&global, local.pairs[i].word, local.pairs[i].count);
	pthread_mutex_unlock(&glock);
	for (i = 0; i < local.n; i++)
		free(local.pairs[i].word);
	return NULL;
}

static int
cmp(const void *a, const void *b)
{
	return strcmp(((const struct pair *)a)->word, ((const struct pair *)b)->word);
}

int
main(int argc, char *argv[])
{
	pthread_t *tids;
	int i, n = argc - 1;

	if (n < 1) {
		fprintf(stderr, "usage: %s text...\n", argv[0]);
		return 2;
	}
	tids = malloc(sizeof(pthread_t) * n);
	for (i = 0; i < n; i++)
		pthread_create(&tids[i], NULL, mapper, argv[i + 1]);
	for (i = 0; i < n; i++)
		pthread_join(tids[i], NULL);
	qsort(global.pairs, global.n, sizeof(struct pair), cmp);
	for (i = 0; i < global.n; i++) {
		printf("%s: %d\n", global.pairs[i].word, global.pairs[i].count);
		free(global.pairs[i].word);
	}
	free(tids);
	return 0;
}
