// Negative file descriptors are invalid: read, write and close fail.
#include <assert.h>
#include <errno.h>
#include <unistd.h>

int main(void)
{
    char c = 'a';
    assert(write(-1, &c, 1) == -1 && errno == EBADF);
    errno = 0;
    assert(read(-1, &c, 1) == -1 && errno == EBADF);
    errno = 0;
    assert(fsync(-1) == -1 && errno == EBADF);
    errno = 0;
    assert(TEMP_FAILURE_RETRY(close(-1)) == -1 && errno == EBADF);
    assert(write(1, &c, 1) == 1);
}
