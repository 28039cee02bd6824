#include<stdio.h>
#include<stdlib.h>
#include<string.h>
struct list{int info;struct list*link;}*start=NULL;
int *arr[4];
create(n)
int n;
{
  int i;struct list*q,*tmp;
  for(i=0;i<n;i++){
    tmp=malloc(sizeof(struct list));
    tmp->info=i*i;tmp->link=NULL;
    if(start==NULL)start=tmp;
    else{q=start;while(q->link!=NULL)q=q->link;q->link=tmp;}
  }
}
int sum(l) struct list *l; { int s=0; for(;;){ if(!l)break; s+=l->info; l=l->link; } return s; }
main(argc,argv)
int argc; char **argv;
{
  int i, j = 0, choice, value;
  char name[20];
  create(4);
  for(i=0;i<4;i++){arr[i]=(int*)malloc((i+1)*sizeof(int));for(j=0;j<=i;j++)arr[i][j]=i+j,*(arr[i]+j)+=1;}
  printf("sum %d\n",sum(start));
  while(scanf("%d",&choice)==1 && choice!=0){
    switch(choice){
      case 1: scanf("%d",&value); start->info=value; break;
      case 2: scanf("%s",name); printf("%s\n",name); break;
      default: printf("wrong\n");
    }
  }
  i=getchar();
  for(i=0;i<4;i++)free(arr[i]);
  return(0);
}
