/* The reply channel may be used before it is set. */

chan inbox = [1] of { byte };
chan reply;

active proctype opener()
{
	reply = inbox
}

active proctype sender()
{
	reply!1
}
