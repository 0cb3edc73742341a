// [] {x < 3} has a bad prefix of three increments; the program runs on for a thousand.
int x;
int main(void) {
  while (x < 1000) x++;
  return 0;
}
