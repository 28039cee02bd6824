#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
typedef struct Song {
    char title[50];
    float length;
    int plays;
    struct Song *prev, *next;
} Song;
typedef struct {
    Song *head, *tail, *current;
    double total;
} Playlist;
enum Command {
    ADD = 'a', NEXT = 'n', PREV = 'p', QUIT = 'q'
};
static Playlist list;
Song *create(char *t, float len) {
    Song *s = (Song*)malloc(sizeof(Song));
    if(s==NULL){
        printf("Memory error");
        return NULL;
    }
    strcpy(s->title, t);
    s->length = len;
    s->plays = 0;
    s->prev = s->next = NULL;
    return s;
}
void add(Playlist *p, Song *s) {
    if (!p->head) p->head = p->tail = p->current = s;
    else {
        s->prev = p->tail;
        p->tail->next = s;
        p->tail = s;
    } p->total += s->length;
}
void play(Playlist *p) {
    if (p->current == NULL) {
        puts("empty");
        return;
    } p->current->plays++;
    printf("%s %.2f\n", p->current->title, p->current->length);
}
float average(Playlist *p) {
    float sum = 0;
    int n = 0;
    Song *s = p->head;
    while (s != NULL) {
        sum += s->length;
        n++;
        s = s->next;
    } return n > 0 ? sum / n : 0.0f;
}
void removeShort(Playlist *p, float limit) {
    Song *s = p->head;
    while (s) {
        Song *nx = s->next;
        if (s->length < limit) {
            if (s->prev) s->prev->next = nx;
            else p->head = nx;
            if (nx) nx->prev = s->prev;
            else p->tail = s->prev;
            p->total -= s->length;
            if (p->current == s) p->current = p->head;
            free(s);
        } s = nx;
    }
}
int main(int argc, char **argv) {
    const char *cmds = argc > 1 ? argv[1] : "aanpxq";
    char title[20];
    int n = 0;
    char c;
    while ((c = *cmds++) != '\0' && c != QUIT) {
        switch ((enum Command)c) {
            case ADD: sprintf(title, "song%d", ++n);
            add(&list, create(title, 2.5f * n));
            break;
            case NEXT: if (list.current && list.current->next) list.current = list.current->next;
            play(&list);
            break;
            case PREV: if (list.current && list.current->prev) {
                list.current = list.current->prev;
            }
            play(&list);
            break;
            default: printf("? %c\n", c);
        }
    }
    float av = average(&list);
    removeShort(&list, av);
    printf("%.1f %d\n", list.total, (int)(av * 10));
    return list.head->plays;
}
