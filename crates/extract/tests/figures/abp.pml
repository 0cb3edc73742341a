mtype = { A, M }; /* acknowledgements and data messages */

typedef Buffer {
    int size;          /* size of buffer */
    mtype cont;       /* abstracted buffer contents */
};

chan rq = [2] of { Buffer, bit }; /* data and sequence number */
chan sq = [2] of { Buffer, bit };

#include "abp_receiver.spn"
#include "abp_sender.spn"
