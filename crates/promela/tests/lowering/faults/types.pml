typedef Point { byte x; byte y; byte x }; //~ E0302
typedef Self { Self inner }; //~ E0209
typedef Line { Point from; byte rest[2] };
Point p;
Line lines[3];
byte a[3];
byte zero[0]; //~ E0311
byte many[-1]; //~ E0311
unsigned u; //~ E0310
unsigned v : 40; //~ E0310
byte w : 3; //~ E0310
int n = 3 + x; //~ E0301
byte size[n + 1]; //~ E0309
Poin q; //~ E0209
hidden bit h; //~ E0321
proctype P(Line l; byte b = 2) { skip } //~ E0213 E0314
init {
  a = 1; //~ E0305
  p = 1; //~ E0306
  p.z = 1; //~ E0307
  p.x.y = 1; //~ E0307
  lines.from.x = 1; //~ E0307
  lines[1].from.x = 1;
  lines[1].rest = 2; //~ E0305
  p[1].x = 2; //~ E0308
  n[0] = 3;
  n[1] = 3; //~ E0308
  n.x = 3 //~ E0307
}
