// What `measure` does is not known.
int measure(int);

int main(void) {
    return measure(3) > 7;
}
