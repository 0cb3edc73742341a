/*
 * POTS: a subscriber, the exchange, and a remote party.
 * The subscriber may hang up at any time.
 */
mtype = { offhook, digits, onhook, dialtone, ringtone, busytone, connected, hangup };

chan line = [1] of { mtype };		/* subscriber -> exchange */
chan tone = [1] of { mtype };		/* exchange -> subscriber */
chan trunk = [0] of { mtype };		/* exchange -> remote */
chan answer = [0] of { mtype };

active proctype subscriber()
{
Idle:	line!offhook;
	if
	:: tone?dialtone ->
		if
		:: line!digits
		:: line!onhook -> goto Idle
		fi
	fi;
	if
	:: tone?busytone -> line!onhook -> goto Idle
	:: tone?ringtone ->
		if
		:: tone?connected -> skip
		:: line!onhook -> goto Idle
		fi
	fi;
Talk:	line!onhook;
	goto Idle
}

active proctype exchange()
{
Idle:	line?offhook;
	tone!dialtone;
	if
	:: line?digits -> goto Try
	:: line?onhook -> goto Idle
	fi;
Try:	if
	:: trunk!ringtone -> tone!ringtone
	:: tone!busytone; line?onhook; goto Idle
	fi;
	if
	:: answer?connected -> tone!connected
	:: line?onhook -> trunk!hangup; goto Idle
	fi;
	line?onhook;
	trunk!hangup;
	goto Idle
}

active proctype remote()
{
end:	do
	:: trunk?ringtone ->
		if
		:: answer!connected -> trunk?hangup
		:: trunk?hangup
		fi
	od
}
