/* The channel is never assigned, so it is named directly, and its messages have fewer fields than are given. */
chan pair = [1] of { bit, bit };
chan single = [1] of { byte };
byte x, y;
active proctype P() {
	chan own = [1] of { byte };
	if
	:: single!1,2
	:: single?x,y
	:: own!1,2
	:: single?[1,2]
	:: single?<x,y>
	fi
}
