/* Types that all parts of the exchange share. */
#ifndef EXCHANGE_H
#define EXCHANGE_H

/* The parties of a call: two local subscribers and the trunk to a remote switch. All features
   belong to subscriber A; B is a plain line. */
enum party { A, B, TRUNK, PARTIES, NO_PARTY = PARTIES };

/* The states of a call, seen from one party. */
enum state {
    IDLE,       /* on hook, no call */
    REMINDER,   /* on hook, one short ring after a call was forwarded */
    DIALING,    /* dial tone, waiting for the first digit */
    COLLECTING, /* waiting for further digits */
    ROUTING,    /* the call is set up, the called party has not replied */
    RINGBACK,   /* the called party is alerted */
    BLOCKED,    /* the call failed: busy tone */
    RINGING,    /* an incoming call is presented */
    RECALL,     /* rings, because a call was left on hold */
    TALKING,    /* the call is answered */
    CONFERENCE, /* a call of three parties */
    RELEASED    /* the other party has hung up first */
};

enum kind {
    NO_MESSAGE,
    /* Signals of a party. */
    OFF_HOOK,
    ON_HOOK,
    FLASH,
    DIGIT,
    TIMEOUT,
    /* Messages between the two halves of a call. */
    SETUP,
    ALERT,
    ANSWER,
    REJECT,
    REDIRECT,
    RELEASE,
    TRANSFER
};

struct message {
    enum kind kind;
    enum party from;
    enum party to;
    int subject; /* DIGIT: the digit; REDIRECT, TRANSFER: the new party */
};

#endif
