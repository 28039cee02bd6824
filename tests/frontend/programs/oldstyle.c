struct n { struct n *next; int d; };
int f(int);
void g(struct n *p) {
  while (p) p = p->next;
  while (p) { f(1); }
  for (;p;) f(2);
  do { f(1); } while (p);
  if (p) f(2);
  while (!p) f(2);
  while (1) ;
}
main(argc, argv)
int argc; char **argv;
{
  switch (argc) { case 1: f(1); case 2: f(2); default: ; }
  {
  int x = argc ? 1 : 2, y;
  y = argc && x;
  x++; ; y--;
  }
  for (int i = 0, j = 1; i < 3 && j; i++, j--) f(i);
  goto l;
l: f(3);
  return argc > 1 ? f(1) : 2;
}
