c_decl { int x; } //~ E0403
c_state "int y" "Global" //~ E0404
c_track "&x" "sizeof(int)" //~ E0405
c_code { x = 1; } //~ E0401
init {
  c_code { x = 2; }; //~ E0401
  c_expr { x == 2 } //~ E0402
}
