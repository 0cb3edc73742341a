/* A d_step must not contain a rendezvous after its first statement. */

chan meet = [0] of { byte };
byte sent;

active proctype sender()
{
	d_step {
		sent = 1;
		meet!sent
	}
}

active proctype receiver()
{
	byte got;
end:	meet?got
}
