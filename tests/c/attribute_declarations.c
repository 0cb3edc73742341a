/* Empty declarations with extensions and attributes at file scope; barriers in their usual spellings. */
__extension__;
__attribute__((unused));
__extension__ __attribute__((unused));
;
__attribute__((unused)) static int n;
__extension__ __attribute__((unused)) static long long m;
int main(void) {
    __asm__ __volatile__("mfence" ::: "cc", "memory");
    __asm__ __volatile__("" : : : "memory", "cc");
    __asm__ __volatile__("lock; addl $0,0(%%rsp)" ::: "memory", "cc");
    asm volatile("lock orq $0x0, (%rsp)" ::: "cc", "memory");
    asm volatile("pause\n\tpause" ::: "memory");
    __attribute__((unused));
    return n + (int)m;
}
