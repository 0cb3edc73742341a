/* object.c: kref-like counting; the name is printed after the put */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#define container_of(ptr, type, member) \
	((type *)((char *)(ptr) - offsetof(type, member)))
#include <stddef.h>

struct kref { atomic_int count; };

struct device {
	int id;
	const char *name;
	struct kref ref;
};

static void kref_init(struct kref *k)
{
	atomic_init(&k->count, 1);
}

static void kref_get(struct kref *k)
{
	atomic_fetch_add(&k->count, 1);
}

static int kref_put(struct kref *k, void (*release)(struct kref *))
{
	if (atomic_fetch_sub(&k->count, 1) == 1) {
		release(k);
		return 1;
	}
	return 0;
}

static void device_release(struct kref *k)
{
	struct device *d = container_of(k, struct device, ref);

	free(d);
}

static void *use_device(void *p)
{
	struct device *d = p;

	printf("using %d\n", d->id);
	if (!kref_put(&d->ref, device_release))
		printf("device %d: still in use\n", d->id);
	return NULL;
}

int main(void)
{
	struct device *d = malloc(sizeof(*d));
	pthread_t t1, t2;

	if (d == NULL) {
		perror("malloc");
		return 1;
	}
	d->id = 7;
	d->name = "eth0";
	kref_init(&d->ref);
	kref_get(&d->ref);
	pthread_create(&t1, NULL, use_device, d);
	pthread_create(&t2, NULL, use_device, d);
	pthread_join(t1, NULL);
	pthread_join(t2, NULL);
	return 0;
}
