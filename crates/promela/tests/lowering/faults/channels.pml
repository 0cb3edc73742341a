mtype = { msg };
byte b, c;
chan one = [1] of { byte };
chan two = [2] of { mtype, byte };
chan bad = [-1] of { byte }; //~ E0311
chan odd = [1] of { unsigned }; //~ E0310
byte no = [1] of { byte }; //~ E0313
init {
  b!1; //~ E0326
  c?b; //~ E0326
  two?b,b; //~ E0327
  two!msg,1,2; //~ E0318
  one = 3; //~ E0331
  one = one + 1; //~ E0331
  one++; //~ E0331
  chan late = [1] of { byte }; //~ E0329
  byte list[2] = { 1, 2 }; //~ E0329
  two?msg,_pid; //~ E0320
  xr b; //~ E0326
  one?b
}
