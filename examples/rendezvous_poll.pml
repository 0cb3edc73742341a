/* A rendezvous channel never holds a message that one could look at. */

chan meet = [0] of { byte };

active proctype poller()
{
	byte seen;
	if
	:: meet?[seen] -> seen = 1
	:: else -> skip
	fi
}

active proctype sender()
{
end:	meet!1
}
