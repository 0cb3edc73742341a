chan c = [0] of { byte };
byte x;
active proctype S() { atomic { if :: c!1 :: c!2 fi; x++ } ; atomic { if :: x > 0 -> c!3 fi } ; x = 9 }
active proctype R() { byte k; atomic { if :: c?k -> x = x + k :: c?2 -> x = 5 fi }; c?k; x = k }
active proctype W() { x > 3 -> x = 0 }
