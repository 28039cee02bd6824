#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* Huffman codes */
struct MinHeapNode { char data; unsigned freq; struct MinHeapNode *left, *right; };
struct MinHeap { unsigned size; unsigned capacity; struct MinHeapNode** array; };
struct MinHeapNode* newNode(char data, unsigned freq) {
  struct MinHeapNode* temp = (struct MinHeapNode*)malloc(sizeof(struct MinHeapNode));
  temp->left = temp->right = NULL; temp->data = data; temp->freq = freq; return temp; }
struct MinHeap* createMinHeap(unsigned capacity) {
  struct MinHeap* minHeap = (struct MinHeap*)malloc(sizeof(struct MinHeap));
  minHeap->size = 0; minHeap->capacity = capacity;
  minHeap->array = (struct MinHeapNode**)malloc(minHeap->capacity * sizeof(struct MinHeapNode*));
  return minHeap; }
void swapMinHeapNode(struct MinHeapNode** a, struct MinHeapNode** b) { struct MinHeapNode* t = *a; *a = *b; *b = t; }
void minHeapify(struct MinHeap* minHeap, int idx) {
  int smallest = idx; int left = 2 * idx + 1; int right = 2 * idx + 2;
  if (left < minHeap->size && minHeap->array[left]->freq < minHeap->array[smallest]->freq) smallest = left;
  if (right < minHeap->size && minHeap->array[right]->freq < minHeap->array[smallest]->freq) smallest = right;
  if (smallest != idx) { swapMinHeapNode(&minHeap->array[smallest], &minHeap->array[idx]); minHeapify(minHeap, smallest); } }
struct MinHeapNode* extractMin(struct MinHeap* minHeap) {
  struct MinHeapNode* temp = minHeap->array[0];
  minHeap->array[0] = minHeap->array[minHeap->size - 1];
  --minHeap->size; minHeapify(minHeap, 0); return temp; }
void insertMinHeap(struct MinHeap* minHeap, struct MinHeapNode* node) {
  ++minHeap->size; int i = minHeap->size - 1;
  while (i && node->freq < minHeap->array[(i - 1) / 2]->freq) { minHeap->array[i] = minHeap->array[(i - 1) / 2]; i = (i - 1) / 2; }
  minHeap->array[i] = node; }
int isLeaf(struct MinHeapNode* root) { return !(root->left) && !(root->right); }
void printCodes(struct MinHeapNode* root, int arr[], int top) {
  if (root->left) { arr[top] = 0; printCodes(root->left, arr, top + 1); }
  if (root->right) { arr[top] = 1; printCodes(root->right, arr, top + 1); }
  if (isLeaf(root)) { printf("%c: ", root->data); for (int i = 0; i < top; ++i) printf("%d", arr[i]); printf("\n"); } }
int main() {
  char arr[] = {'a', 'b', 'c', 'd'}; int freq[] = {5, 9, 12, 3};
  int size = sizeof(arr) / sizeof(arr[0]);
  struct MinHeap* h = createMinHeap(size);
  for (int i = 0; i < size; ++i) insertMinHeap(h, newNode(arr[i], freq[i]));
  struct MinHeapNode *left, *right, *top;
  while (!(h->size == 1)) {
    left = extractMin(h); right = extractMin(h);
    top = newNode('$', left->freq + right->freq); top->left = left; top->right = right;
    insertMinHeap(h, top); }
  int codes[20]; printCodes(extractMin(h), codes, 0); return 0; }
