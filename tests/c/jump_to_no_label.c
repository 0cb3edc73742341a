/* A jump to an address that is not a label of the function. */
int main(void) {
    void *p = &&end;
    p = (char *)p + 1;
    goto *p;
end:
    return 0;
}
