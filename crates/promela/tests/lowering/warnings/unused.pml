byte unused; //~ W0303
byte written; //~ W0304
chan silent = [1] of { byte }; //~ W0306
chan deaf = [1] of { byte }; //~ W0306
chan idle = [1] of { byte }; //~ W0303
chan passed = [1] of { byte };
inline never_called(x) { x = 1 } //~ W0303
proctype Q(chan c) { byte got; c?got; printf("%d", got) }
active proctype P() {
  written = 1;
  deaf!1;
  silent?_;
  run Q(passed)
}
