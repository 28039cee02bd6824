/*
 * Reads nothing, takes ascending numbers as arguments: puts them into a list, drops repeated
 * ones, prints what is left.  One statement in drop_repeated() is too many.
 */
#include <stdlib.h>
#include <stdio.h>

struct list_cell { int value; struct list_cell *next; };

struct list_cell *first, *last;

void append(int value) {
  struct list_cell *cell = (struct list_cell *) calloc(1, sizeof *cell);
  cell->value = value;
  if (last == NULL)
    first = cell;
  else
    last->next = cell;
  last = cell;
}

void drop_repeated() {
  struct list_cell *current = first, *extra;

  while (current && current->next) {
    if (current->value == current->next->value) {
      extra = current->next;
      current->next = extra->next;
      if (extra == last)
        last = current;
      free(extra);
      current = current->next;    // go on
    } else
      current = current->next;
  }
}

int main(int argc, char **argv) {
  struct list_cell *cell;
  int i;

  for (i = 1; i < argc; i++)
    append(atoi(argv[i]));
  drop_repeated();
  for (cell = first; cell != NULL; cell = cell->next)
    printf("%d%s", cell->value, cell == last ? ".\n" : ", ");
  return 0;
}
