/* Runs a program's main on many inputs, each in a child of its own.
 *
 * usage: PROGRAM INPUTS SECONDS LIMIT BAD
 * INPUTS holds words that end in NUL; an empty word ends an input.  For each input there is one record on
 * standard output: "WAIT-STATUS BYTES\n", then so many bytes of the program's output (cut at LIMIT), then "\n".
 * wolverine_begin (in the child) and wolverine_end (behind it), where another file has them, are called with the
 * number of the input, from 0.
 * A child that a signal ends, or that exits with status 99 (a sanitizer's report), ends all when BAD is "stop".
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int wolverine_subject();
__attribute__((weak)) void wolverine_begin(int number);
__attribute__((weak)) void wolverine_end(int number);

static char *read_all(const char *name, long *size)
{
    FILE *file = fopen(name, "rb");
    char *text;
    if (file == NULL || fseek(file, 0, SEEK_END) != 0)
        exit(2);
    *size = ftell(file);
    rewind(file);
    text = malloc(*size + 1);
    if (text == NULL || fread(text, 1, *size, file) != (size_t)*size)
        exit(2);
    fclose(file);
    return text;
}

static void child(int number, char **words, int count, int seconds, int out)
{
    struct rlimit processor = {(rlim_t)seconds, (rlim_t)seconds};
    int nothing = open("/dev/null", O_RDWR);
    setrlimit(RLIMIT_CPU, &processor);
    alarm(4 * seconds);
    dup2(nothing, 0);
    dup2(out, 1);
    if (wolverine_begin)
        wolverine_begin(number);
    exit(wolverine_subject(count, words, NULL));
}

static int one(char **words, int count, int seconds, long limit)
{
    static char *output;
    static int number;
    long length = 0, got;
    int ends[2], status;
    pid_t pid;
    if (output == NULL)
        output = malloc(limit);
    if (pipe(ends) != 0 || (pid = fork()) < 0)
        exit(2);
    if (pid == 0) {
        close(ends[0]);
        child(number, words, count, seconds, ends[1]);
    }
    close(ends[1]);
    while (length < limit && (got = read(ends[0], output + length, limit - length)) > 0)
        length += got;
    close(ends[0]); /* a program that goes on printing gets SIGPIPE */
    waitpid(pid, &status, 0);
    if (wolverine_end)
        wolverine_end(number);
    number++;
    printf("%d %ld\n", status, length);
    fwrite(output, 1, length, stdout);
    printf("\n");
    fflush(stdout);
    return WIFEXITED(status) && WEXITSTATUS(status) != 99;
}

int main(int argc, char **argv)
{
    static char *words[1024];
    long size = 0, limit;
    char *text, *at;
    int count = 1, seconds;
    if (argc != 5)
        return 2;
    text = read_all(argv[1], &size);
    seconds = atoi(argv[2]);
    limit = atol(argv[3]);
    words[0] = "program";
    for (at = text; at < text + size; at++) {
        char *word = at;
        while (*at)
            at++;
        if (*word) {
            if (count < 1022)
                words[count++] = word;
            continue;
        }
        words[count] = NULL;
        if (!one(words, count, seconds, limit) && argv[4][0] == 's')
            break;
        count = 1;
    }
    return 0;
}
