proctype P() { skip } //~^ E0409
