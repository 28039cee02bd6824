/* Runs hop.c on the values given as arguments: build that file with -Dmain=session_main. */
#include <stdlib.h>

void push(int value);
void reverse(void);
int print_both_ways(void);

int main(int argc, char *argv[]) {
	for (int i = 1; i < argc; i++)
		push(atoi(argv[i]));
	reverse();
	print_both_ways();
	return 0;
}
