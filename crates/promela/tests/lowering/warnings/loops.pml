byte b, a[256];
int n;
active proctype P() {
  for (b : 0 .. 255) { n++ }; //~ W0302
  for (b in a) { n = n + a[b] }; //~ W0302
  for (n : 0 .. 255) { a[0] = 1 }
}
active proctype Q() {
  for (b : 5 .. 1 + 1) { n++ };
  for (n : 1 .. -1) { n++ };
  for (b : 9 .. -3) { n++ }
}
