/* Macros with loops, switches, jumps and whole functions in them. */
#include <stdlib.h>

struct item {
    int key;
    unsigned mixed;
    struct item *left, *right;
};

#define MIX(text, length, result) do { \
    const char *_at = (text); \
    unsigned _left = (length); \
    (result) = 7; \
    while (_left >= 4) { (result) = (result) * 31 + (unsigned)_at[3]; _at += 4; _left -= 4; } \
    switch (_left) { \
    case 3: (result) += (unsigned)_at[2] << 8; /* falls through */ \
    case 2: (result) += (unsigned)_at[1]; /* falls through */ \
    case 1: (result) += (unsigned)_at[0]; break; \
    default: (result) ^= 1; \
    } \
    do { (result) -= 3; } while ((result) > 5000); \
} while (0)

#define GREATEST(root, found) do { \
    (found) = (root); \
    for (;;) { \
        if ((found) == NULL || (found)->right == NULL) break; \
        (found) = (found)->right; \
        if ((found)->key < 0) continue; \
    } \
} while (0)

#define LEAVE_IF(test) if (test) return 0
#define STOP_AT(p, k) if ((p)->key == (k)) break
#define UNLESS(test) if (!(test))

#define TREE(name) \
static struct item *name##_put(struct item **root, struct item *item) \
{ \
    struct item *at = *root, *above = NULL; \
    int order = 0; \
    while (at) { \
        above = at; \
        order = name##_order(item, at); \
        if (order < 0) at = at->left; \
        else if (order > 0) at = at->right; \
        else return at; \
    } \
    if (above == NULL) { *root = item; goto done; } \
    if (order < 0) above->left = item; else above->right = item; \
done: \
    return NULL; \
} \
static struct item *name##_take(struct item *item) \
{ \
    struct item *child; \
    int kept; \
    if (item->left == NULL) child = item->right; \
    else if (item->right == NULL) child = item->left; \
    else { child = item; goto kept; } \
    kept = item->key; \
    if (child) child->mixed += (unsigned)kept; \
kept: \
    return child; \
}

static int plain_order(struct item *one, struct item *other)
{
    LEAVE_IF(one == other);
    return one->key < other->key ? -1 : one->key > other->key;
}

TREE(plain)

static int spread(struct item *p)
{
    int count = 0;
    while (p) {
        STOP_AT(p, 9);
        UNLESS (p->left) {
            count++;
            p = p->right;
            continue;
        }
        p = p->left;
    }
    return count;
}

int main(void)
{
    static const int keys[] = {4, 2, 6, 4, 9, 1};
    struct item *root = NULL, *last;
    unsigned mixed;
    for (int i = 0; i < 6; i++) {
        struct item *item = calloc(1, sizeof *item);
        item->key = keys[i];
        if (plain_put(&root, item) != NULL)
            free(item);
    }
    MIX("elevenchars", 11, mixed);
    root->mixed = mixed;
    MIX("four", 4, mixed);
    root->left->mixed = mixed;
    GREATEST(root, last);
    last->mixed = (unsigned)spread(root);
    last = plain_take(root);
    last = plain_take(root->left);
    root->left = NULL;
    last = plain_take(root);
    return last->key == 6 ? 0 : 1;
}
