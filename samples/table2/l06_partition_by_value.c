/* smaller values first, then equal ones, then greater ones, each in their order: X ELEMENTS... */
#include <stdio.h>
#include <stdlib.h>

struct node
{
	int data;
	struct node *next;
};

struct node *partition(struct node *head, int x)
{
	struct node *smallerHead = NULL, *smallerLast = NULL;
	struct node *greaterHead = NULL, *greaterLast = NULL;
	struct node *equalHead = NULL, *equalLast = NULL;

	while (head != NULL)
	{
		if (head->data == x)
		{
			if (equalHead == NULL)
				equalHead = equalLast = head;
			else
			{
				equalLast->next = head;
				equalLast = equalLast->next;
			}
		}
		else if (head->data < x)
		{
			if (smallerHead == NULL)
				smallerLast = smallerHead = head;
			else
			{
				smallerLast->next = head;
				smallerLast = head;
			}
		}
		else
		{
			if (greaterHead == NULL)
				greaterLast = greaterHead = head;
			else
			{
				greaterLast->next = head;
				greaterLast = head;
			}
		}
		head = head->next;
	}

	if (greaterLast != NULL)
		greaterLast->next = NULL;
	if (smallerHead == NULL)
	{
		if (equalHead == NULL)
			return greaterHead;
		equalLast->next = greaterHead;
		return equalHead;
	}
	if (equalHead == NULL)
	{
		smallerLast->next = greaterHead;
		return smallerHead;
	}
	smallerLast->next = equalHead;
	equalLast->next = greaterHead;
	return smallerHead;
}

int main(int argc, char *argv[])
{
	struct node *head = NULL, *n;
	int i;
	if (argc < 2)
		return 0;
	for (i = argc; --i > 1; )
	{
		n = malloc(sizeof(struct node));
		n->data = atoi(argv[i]);
		n->next = head;
		head = n;
	}
	head = partition(head, atoi(argv[1]));
	for (n = head; n != NULL; n = n->next)
		printf("%d ", n->data);
	printf("\n");
	while (head)
	{
		n = head;
		head = head->next;
		free(n);
	}
	return 0;
}
