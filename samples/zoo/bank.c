#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct date {
    int d, m, y;
};
struct account {
    long number;
    char owner[20];
    double balance;
    struct date opened;
    struct account *next;
};
typedef struct account *Account;
static Account accounts = NULL;
static int next_no = 1000;
static Account open_account(const char *who, double money, struct date when) {
    Account a = (Account) malloc(sizeof(struct account));
    a->number = next_no++;
    strcpy(a->owner, who);
    a->balance = money;
    a->opened = when;
    a->next = accounts;
    accounts = a;
    return a;
}
static int transfer(Account from, Account to, double amount) {
    if (from == NULL || to == NULL) return -1;
    if (amount <= 0 || from->balance < amount) return 0;
    from->balance -= amount;
    to->balance += amount;
    return 1;
}
static Account find(long no) {
    Account a = accounts;
    while (a != NULL && a->number != no) a = a->next;
    return a;
}
static double interest(double principal, float rate, int years) {
    int i;
    for (i = 0; i < years; i++) principal *= 1 + rate / 100;
    return principal;
}
int main() {
    char name[20];
    double amount;
    int day;
    struct date today = { .d = 1, .m = 2, .y = 2020 };
    Account best;
    while (scanf("%19s %lf %d", name, &amount, &day) == 3) {
        today.d = day;
        open_account(name, amount, today);
    }
    if (!transfer(find(1000), find(1001), 30.5)) printf("refused\n");
    best = accounts;
    for (Account a = accounts; a; a = a->next) {
        a->balance = interest(a->balance, 3.5f, 2);
        if (a->balance > best->balance) best = a;
    }
    printf("%s %.2f %d\n", best->owner, best->balance, best->opened.d);
    return 0;
}
