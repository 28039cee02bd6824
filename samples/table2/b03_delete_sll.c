/* delete the first node with a given key: KEY ELEMENTS... */
#include<stdio.h>
#include<stdlib.h>

typedef struct Node
{
	int data;
	struct Node *next;
} Node;

void insert_front(Node **head_ref, int data)
{
	Node *n = (Node *)malloc(sizeof(Node));
	n->data = data;
	n->next = *head_ref;
	*head_ref = n;
}

void delete_node(Node **head_ref, int key)
{
	Node *temp = *head_ref, *prev = NULL;

	if (temp != NULL && temp->data == key)
	{
		*head_ref = temp->next;
		free(temp);
		return;
	}
	while (temp != NULL && temp->data != key)
	{
		prev = temp;
		temp = temp->next;
	}
	if (temp == NULL)
		return;
	prev->next = temp->next;
	free(temp);
}

void print_list(Node *n)
{
	while (n)
	{
		printf(" %d ", n->data);
		n = n->next;
	}
	putchar('\n');
}

int main(int argc, char *argv[])
{
	Node *head = NULL;
	int i;

	if (argc < 2)
		return 0;
	for (i = argc - 1; i >= 2; --i)
		insert_front(&head, atoi(argv[i]));
	delete_node(&head, atoi(argv[1]));
	print_list(head);
	while (head)
	{
		Node *next = head->next;
		free(head);
		head = next;
	}
	return 0;
}
