/* A server for one client: its calls of sockets are not modelled, so the verdict is unknown at the first. */
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
static void *serve(void *p) {
    int client = *(int *)p;
    char buffer[64];
    ssize_t n = recv(client, buffer, sizeof buffer, 0);
    if (n > 0) send(client, buffer, (size_t)n, MSG_NOSIGNAL);
    close(client);
    return 0;
}
int main(void) {
    struct sockaddr_in a;
    socklen_t size = sizeof a;
    memset(&a, 0, sizeof a);
    a.sin_family = AF_INET;
    a.sin_port = htons(8080);
    a.sin_addr.s_addr = htonl(INADDR_ANY);
    int s = socket(AF_INET, SOCK_STREAM, 0), on = 1;
    if (s < 0) { perror("socket"); return 1; }
    setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(s, (struct sockaddr *)&a, sizeof a) || listen(s, 5)) return 1;
    int client = accept(s, (struct sockaddr *)&a, &size);
    pthread_t t;
    pthread_create(&t, 0, serve, &client);
    pthread_join(t, 0);
    return 0;
}
