int a, b;
active proctype A() { do :: a++ :: a = b od }
active proctype B() { do :: b++ :: b = a od }
never {
    do
    :: a == 1000000000 -> break
    :: else
    od;
accept:
    do :: a > 2 && b > 2 od
}
