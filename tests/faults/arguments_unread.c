/* Parameters that are not read make no difference. */
#include <assert.h>
static int reads(int argc, char **argv) { (void)argc; (void)argv; return 1; }
int main(int argc, char *argv[]) {
    assert(reads(argc, argv) == 1);
    return 0;
}
