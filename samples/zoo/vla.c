#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int sum(int n, int a[n])
{
    int copy[n + 1], s = 0;
    memset(copy, 0, (n + 1) * sizeof(int));
    for (int i = 0; i < n; i++)
        copy[i + 1] = copy[i] + a[i];
    memcpy(a, copy + 1, n * sizeof *a);
    int *p = copy;
    while (p < copy + n)
        s += *p++;
    return s;
}
static int depth(int n)
{
    char text[n + 2];
    int i;
    for (i = 0; i <= n; i++)
        text[i] = 'a' + i;
    text[i] = '\0';
    if (n > 0)
        return depth(n - 1) + (int)strlen(text);
    return text[0];
}
int main(int argc, char **argv)
{
    int n = argc + 3;
    int arr[n];
    double real[n];
    int *ptrs[n];
    for (int i = 0; i < n; i++) {
        arr[i] = i * 2;
        real[i] = i / 2.0;
        ptrs[i] = &arr[n - 1 - i];
    }
    *ptrs[0] += 5;
    int total = sum(n, arr) + depth(3);
    total += real[n - 1] > 1 ? *ptrs[1] : 0;
    printf("%d\n", total);
    return 0;
}
