/* Numbers that are none: `isnan` is a macro for what gcc puts code in place of. */
#include <math.h>
#include <stdlib.h>

struct score {
    double value;
    struct score *next;
};

static struct score *put(struct score *head, double value)
{
    struct score *fresh;
    if (isnan(value) || isnan((float)value))
        return head;
    fresh = malloc(sizeof *fresh);
    fresh->value = value;
    fresh->next = head;
    return fresh;
}

int main(void)
{
    double nothing = 0.0;
    struct score *head = NULL;
    int missing;
    head = put(head, 1.5);
    head = put(head, nothing);
    missing = isnan(head->value) ? 1 : 0;
    while (head != NULL) {
        struct score *next = head->next;
        free(head);
        head = next;
    }
    return missing;
}
