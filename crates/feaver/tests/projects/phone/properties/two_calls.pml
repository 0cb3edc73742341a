never {
    do
    :: calls > 2 -> break
    :: else
    od
}
