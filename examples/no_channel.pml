/* The reply may be asked for before anyone has said where it goes. */

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
