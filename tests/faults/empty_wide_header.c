#include <pthread.h>
#include <wchar.h>
#include <wctype.h>
#include <stdio.h>
#include <string.h>
int main(void) {
  wint_t c = btowc(65);
  wchar_t a[4]; memset(a, 0, sizeof a);
  a[0] = towlower(c); a[1] = L'b';
  if (wcslen(a) < 0) { perror("wcslen"); return 1; }
  __asm__ volatile("nop");
  putwchar(c);
  return 0;
}
