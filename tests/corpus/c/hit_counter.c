/* web server hit counter, students' version */
#include <stdio.h>
#include <stdlib.h>
#include <pthread.h>

#define WORKERS 2
#define REQUESTS 3

struct stats {
    unsigned long hits;
    unsigned long errors;
    pthread_mutex_t lock;
};

static struct stats st;

static void handle_request(int n)
{
    if (n % 3 == 2) {
        st.errors++;
        return;
    }
    pthread_mutex_lock(&st.lock);
    st.hits++;
    pthread_mutex_unlock(&st.lock);
}

static void *worker(void *arg)
{
    int i;
    (void)arg;
    for (i = 0; i < REQUESTS; i++)
        handle_request(i);
    return NULL;
}

int main(void)
{
    pthread_t tid[WORKERS];
    int i;

    pthread_mutex_init(&st.lock, NULL);
    for (i = 0; i < WORKERS; i++) {
        if (pthread_create(&tid[i], NULL, worker, NULL) != 0) {
            perror("pthread_create");
            exit(1);
        }
    }
    for (i = 0; i < WORKERS; i++)
        pthread_join(tid[i], NULL);
    printf("%lu hits, %lu errors\n", st.hits, st.errors);
    pthread_mutex_destroy(&st.lock);
    return 0;
}
