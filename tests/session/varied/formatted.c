#include <stdio.h>
#include <stdlib.h>

enum { ROOM = 12 };

struct label {
    char name[ROOM];
    char *text;
    int wanted;
    struct label *next;
};

static struct label *labelled(struct label *next, const char *name, int number, double share)
{
    struct label *fresh = malloc(sizeof *fresh);
    signed char small = (signed char)number;
    short half = (short)(number * 1000);
    fresh->wanted = snprintf(fresh->name, ROOM, "%s-%03d", name, number);
    fresh->text = malloc(64);
    sprintf(fresh->text, "%-6s|%+d|%x|%c|%5.2f|%hd|%%|%hhd|%lu", name, number, number, 'a' + number % 26, share,
            half, small, 4000000000UL + number);
    fresh->next = next;
    return fresh;
}

int main(void)
{
    struct label *first = NULL;
    char line[80] = "none";
    int sum = 0;
    first = labelled(first, "one", 1, 0.25);
    first = labelled(first, "a long name", -77, 1e3);
    first = labelled(first, "", 200, -2.0 / 3);
    for (struct label *at = first; at != NULL; at = at->next) {
        int more = sprintf(line, "%s:%s", at->name, at->text + 7);
        sum += more + snprintf(line + 3, 5, "%d", at->wanted) + snprintf(line, 0, "%d", sum);
    }
    printf("%s %d\n", line, sum);
    return sum % 100;
}
