/* Types, constants and numbers in the order of the network: what real code takes from these headers. */
#define _GNU_SOURCE
#include <sys/socket.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <arpa/inet.h>
#include <netdb.h>
#include <poll.h>
#include <termios.h>
#include <sys/select.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <sys/stat.h>
#include <fcntl.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <sys/signalfd.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/shm.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <libgen.h>
#include <ifaddrs.h>
#include <mqueue.h>
#include <utime.h>
#include <sysexits.h>
#include <paths.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>
#include <signal.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>
#include <limits.h>
#include <assert.h>
#include <dirent.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <netinet/ip.h>
#include <netinet/udp.h>
static struct sockaddr_in6 six;
static pthread_t tid;
int main(void) {
    struct sockaddr_in a = { .sin_family = AF_INET, .sin_port = htons(80), .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    struct pollfd p[2] = { { .fd = 0, .events = POLLIN } };
    fd_set s; FD_ZERO(&s); FD_SET(3, &s); assert(FD_ISSET(3, &s) && !FD_ISSET(4, &s)); FD_CLR(3, &s); assert(!FD_ISSET(3, &s));
    struct termios t; t.c_lflag = ICANON | ECHO; t.c_cc[VMIN] = 1;
    struct timeval x = { 1, 900000 }, y = { 0, 200000 }, z; timeradd(&x, &y, &z); assert(z.tv_sec == 2 && z.tv_usec == 100000);
    assert(timercmp(&x, &z, <));
    struct in_addr in; assert(inet_aton("10.1.2.3", &in) == 1); assert(ntohl(in.s_addr) == 0x0a010203);
    assert(inet_addr("127.0.0.1") == htonl(INADDR_LOOPBACK)); assert(inet_addr("1.2.3.400") == INADDR_NONE);
    six.sin6_addr = in6addr_loopback; assert(IN6_IS_ADDR_LOOPBACK(&six.sin6_addr)); assert(!IN6_IS_ADDR_UNSPECIFIED(&six.sin6_addr));
    assert(ntohs(a.sin_port) == 80 && p[0].events == POLLIN && p[1].fd == 0); assert(t.c_cc[VMIN] == 1);
    cpu_set_t c; CPU_ZERO(&c); CPU_SET(1, &c); CPU_SET(5, &c); assert(CPU_COUNT(&c) == 2);
    struct epoll_event ev = { .events = EPOLLIN, .data.fd = 3 }; assert(sizeof ev == 12 && ev.data.fd == 3);
    (void)tid; return 0;
}
