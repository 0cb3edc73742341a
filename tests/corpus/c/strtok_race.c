/* Parse lines in parallel; strtok keeps its position in a static variable. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct line {
    char text[24];
    int  sum;
};

static void *parse_line(void *arg)
{
    struct line *l = arg;
    char *tok;

    for (tok = strtok(l->text, ","); tok != NULL; tok = strtok(NULL, ","))
        l->sum += atoi(tok);
    return NULL;
}

int main(void)
{
    struct line lines[2] = { { "1,2,3", 0 }, { "10,20", 0 } };
    pthread_t t[2];

    for (int i = 0; i < 2; i++)
        if (pthread_create(&t[i], NULL, parse_line, &lines[i])) {
            perror("pthread_create");
            return 1;
        }
    for (int i = 0; i < 2; i++) {
        pthread_join(t[i], NULL);
        printf("%d\n", lines[i].sum);
    }
    return 0;
}
