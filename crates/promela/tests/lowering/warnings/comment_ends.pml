byte x;
init {
  x = 2 */* a product */ 3;
  /* outer /* inner */ */ x++; //~ W0206
*/ x++ //~ W0206
  x = x *// a line comment
    1;
  assert(x == 8)
}
