#include <stdio.h>
#include <string.h>
#include <stdlib.h>
#include <ctype.h>
typedef struct student { char name[16]; int marks[3]; float avg; struct student *next; } Student;
Student *first;
void add(const char *name, int a, int b, int c) {
	Student *s = (Student*)malloc(sizeof(Student)), *t = first;
	strcpy(s->name, name);
	s->marks[0] = a; s->marks[1] = b; s->marks[2] = c;
	s->avg = (a + b + c) / 3.0;
	s->next = NULL;
	if (first == NULL) { first = s; return; }
	while (t->next) t = t->next;
	t->next = s;
}
Student *best(void) { Student *b = first, *s; for (s = first; s; s = s->next) if (s->avg > b->avg) b = s; return b; }
void reverse(char *s) { int i = 0, j = strlen(s) - 1; while (i < j) { char t = s[i]; s[i++] = s[j]; s[j--] = t; } }
char *join(char *a, char *b) { char *r = malloc(strlen(a) + strlen(b) + 2); sprintf(r, "%s-%s", a, b); return r; }
int vowels(const char *s) { int n = 0; for (; *s != '\0'; s++) switch (tolower(*s)) { case 'a': case 'e': case 'i': case 'o': case 'u': n++; } return n; }
int main(void) {
	char line[32], *tok, *j; int n = 0, freq[26] = {0};
	add("ann", 3, 4, 5); add("bob", 9, 9, 9); add("cy", 1, 1, 1);
	reverse(best()->name);
	j = join(first->name, first->next->name);
	for (char *p = j; *p; p++) if (isalpha((unsigned char)*p)) freq[*p - 'a']++;
	while (fgets(line, sizeof line, stdin) != NULL) {
		line[strcspn(line, "\n")] = 0;
		for (tok = strtok(line, " "); tok != NULL; tok = strtok(NULL, " ")) n += atoi(tok) + vowels(tok);
	}
	printf("%s %d %d\n", j, n, freq[1]);
	free(j);
	while (first) { Student *s = first; first = first->next; free(s); }
	return 0;
}
