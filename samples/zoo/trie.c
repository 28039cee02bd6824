#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ctype.h>
#include <assert.h>
#define ALPHABET_SIZE (26)
#define CHAR_TO_INDEX(c) ((int)c - (int)'a')
#define ARRAY_SIZE(a) sizeof(a)/sizeof(a[0])
struct TrieNode {
    struct TrieNode *children[ALPHABET_SIZE];
    _Bool isEndOfWord;
};
struct TrieNode *getNode(void) {
    struct TrieNode *pNode = NULL;
    pNode = (struct TrieNode *)malloc(sizeof(struct TrieNode));
    if (pNode) {
        int i;
        pNode->isEndOfWord = 0;
        for (i = 0; i < ALPHABET_SIZE; i++) pNode->children[i] = NULL;
    } return pNode;
}
void insert(struct TrieNode *root, const char *key) {
    int level;
    int length = strlen(key);
    int index;
    struct TrieNode *pCrawl = root;
    for (level = 0; level < length; level++) {
        index = CHAR_TO_INDEX(key[level]);
        if (!pCrawl->children[index]) pCrawl->children[index] = getNode();
        pCrawl = pCrawl->children[index];
    } pCrawl->isEndOfWord = 1;
}
int search(struct TrieNode *root, const char *key) {
    struct TrieNode *pCrawl = root;
    for (; *key; key++) {
        int index = CHAR_TO_INDEX(tolower(*key));
        if (!pCrawl->children[index]) return 0;
        pCrawl = pCrawl->children[index];
    }
    return (pCrawl->isEndOfWord);
}
int main() {
    char keys[][8] = {"the", "a", "any"};
    char output[][32] = {"Not present", "Present"};
    struct TrieNode *root = getNode();
    assert(root != NULL);
    int i;
    for (i = 0; i < ARRAY_SIZE(keys); i++) insert(root, keys[i]);
    printf("%s --- %s\n", "The", output[search(root, "The")]);
    if (isalpha(keys[0][0]) && !isdigit(keys[1][0])) i = toupper(keys[2][1]);
    assert(i > 3);
    return 0;
}
