int g(int n) {
    while (1) {
        int k = n + 1;
        if (k > 5)
            break;
        n = k;
    }
    for (;;) {
        int k = n - 1;
        if (k < 3) break;
        n = k;
    }
    for (; ; n++) {
        int k = n - 1;
        if (k > 7) break;
    }
    while (n) { int k = n; n = k - 1; }
    do { int k = n; n = k + 1; if (k) continue; } while (n < 9);
    return n;
}
int main(void) {
    int a = g(0);
    a += g(3);
    return a > 100;
}
