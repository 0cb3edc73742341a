/* A grant is withdrawn before the request: `grant` does not hold until `done_`. */
bool request, grant, done_;
active proctype client() { do :: request = true; (grant); done_ = true; request = false; (!grant); done_ = false od }
active proctype server() { do :: request -> grant = true; if :: done_ :: skip fi; grant = false od }
ltl kept { [] (grant -> (grant U done_)) }
