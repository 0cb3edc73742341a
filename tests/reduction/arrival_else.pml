chan q = [0] of { byte };
active proctype S() { if :: q!1 :: else -> assert(false) fi }
active proctype R() { skip; q?_ }
