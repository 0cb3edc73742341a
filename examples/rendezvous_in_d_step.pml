/* A d_step may not hand over control in its middle. */

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
