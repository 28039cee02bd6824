#include <stdio.h>
#include <stdlib.h>
struct node
{
    int info;
    struct node *link;
}*start=NULL;
void create_list(int data);
void addatbeg(int data);
void addafter(int data,int pos);
void del(int data);
void display();
void count();
void search(int data);
void rev();
int main()
{
    int choice,n,m,position,i;
    while(1)
    {
        printf("1.Create 2.Add at begin 3.Add after 4.Delete 5.Display 6.Count 7.Reverse 8.Search 9.Quit\n");
        printf("Enter your choice : ");
        if(scanf("%d",&choice)!=1) break;
        switch(choice)
        {
        case 1:
            printf("How many nodes you want : ");
            scanf("%d",&n);
            for(i=0;i<n;i++)
            {
                printf("Enter the element : ");
                scanf("%d",&m);
                create_list(m);
            }
            break;
        case 2:
            scanf("%d",&m);
            addatbeg(m);
            break;
        case 3:
            scanf("%d",&m);
            scanf("%d",&position);
            addafter(m,position);
            break;
        case 4:
            if(start==NULL) { printf("List is empty\n"); continue; }
            scanf("%d",&m);
            del(m);
            break;
        case 5: display(); break;
        case 6: count(); break;
        case 7: rev(); break;
        case 8: scanf("%d",&m); search(m); break;
        case 9: exit(0);
        default: printf("Wrong choice\n");
        }
    }
    return 0;
}
void create_list(int data)
{
    struct node *q,*tmp;
    tmp= malloc(sizeof(struct node));
    tmp->info=data;
    tmp->link=NULL;
    if(start==NULL) start=tmp;
    else { q=start; while(q->link!=NULL) q=q->link; q->link=tmp; }
}
void addatbeg(int data)
{
    struct node *tmp;
    tmp=malloc(sizeof(struct node));
    tmp->info=data;
    tmp->link=start;
    start=tmp;
}
void addafter(int data,int pos)
{
    struct node *tmp,*q;
    int i;
    q=start;
    for(i=0;i<pos-1;i++)
    {
        q=q->link;
        if(q==NULL) { printf("There are less than %d elements\n",pos); return; }
    }
    tmp=malloc(sizeof(struct node) );
    tmp->link=q->link;
    tmp->info=data;
    q->link=tmp;
}
void del(int data)
{
    struct node *tmp,*q;
    if(start->info == data) { tmp=start; start=start->link; free(tmp); return; }
    q=start;
    while(q->link->link != NULL)
    {
        if(q->link->info==data) { tmp=q->link; q->link=tmp->link; free(tmp); return; }
        q=q->link;
    }
    if(q->link->info==data) { tmp=q->link; free(tmp); q->link=NULL; return; }
    printf("Element %d not found\n",data);
}
void display()
{
    struct node *q;
    if(start == NULL) { printf("List is empty\n"); return; }
    q=start;
    while(q!=NULL) { printf("%d ", q->info); q=q->link; }
    printf("\n");
}
void count() { struct node *q=start; int cnt=0; while(q!=NULL) { q=q->link; cnt++; } printf("Number of elements are %d\n",cnt); }
void rev()
{
    struct node *p1,*p2,*p3;
    if(start==NULL || start->link==NULL) return;
    p1=start; p2=p1->link; p3=p2->link;
    p1->link=NULL; p2->link=p1;
    while(p3!=NULL) { p1=p2; p2=p3; p3=p3->link; p2->link=p1; }
    start=p2;
}
void search(int data)
{
    struct node *ptr = start; int pos = 1;
    while(ptr!=NULL) { if(ptr->info==data) { printf("Item %d found at position %d\n",data,pos); return; } ptr = ptr->link; pos++; }
    if(ptr == NULL) printf("Item %d not found in list\n",data);
}
