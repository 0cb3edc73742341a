chan rq = [1] of { byte };
chan sq = [1] of { byte };

#include "abp_receiver.spn"
#include "abp_sender.spn"
