active [200] proctype P() { skip }
active [56] proctype Q() { skip } //~ E0410
init { skip } 
