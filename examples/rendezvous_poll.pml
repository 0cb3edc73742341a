/* A rendezvous channel never contains a message that could be polled. */

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
