// `measure` is undefined.
int measure(int);

int main(void) {
    return measure(3) > 7;
}
