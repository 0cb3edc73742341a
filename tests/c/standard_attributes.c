/* Attributes of C23 at every place where they may stand; those with a meaning keep it. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
[[deprecated("use next")]] static int old;
[[nodiscard]] static int next(int x [[maybe_unused]]);
[[maybe_unused]] typedef int number;
struct [[gnu::packed]] pair { char c; [[maybe_unused]] int n; };
struct [[deprecated]] loose { char c; int n [[gnu::aligned(16)]]; };
enum [[maybe_unused]] colour { RED [[deprecated]], GREEN [[maybe_unused]] = 4 };
union [[maybe_unused]] either { int i; float f; };
[[noreturn]] static void stop(void) { exit(0); }
[[gnu::constructor]] static void before(void) { old = 40; }
[[]] static int next(int x [[maybe_unused]]) { return x + 1; }
static int counted [[maybe_unused, gnu::unused]] = 1, table [[maybe_unused]][2];
[[vendor::hint(1, "a, b]]", (2))]];
static void *work([[maybe_unused]] void *p) {
    [[maybe_unused]] int unused;
    for ([[maybe_unused]] int i = 0; i < 1; i++) [[likely]] { table[0] = i; }
    switch (counted) {
    case 1:
        counted++;
        [[fallthrough]];
    [[maybe_unused]] case 2: [[maybe_unused]] counted++; break;
    default: [[unlikely]] break;
    }
    if (counted == 3) [[likely]] return 0;
    else [[unlikely]] stop();
    goto end;
end: [[maybe_unused]];
    return p;
}
int main(void) {
    pthread_t t;
    int v[2] = { 1, 2 }, w[1] = { 0 };
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    assert(sizeof(struct pair) == 5 && sizeof(struct loose) == 32 && GREEN == 4);
    assert(old == 40 && next(v[w[0]]) == 2 && counted == 3);
    stop();
}
