"""A running session in real Chromium: page and shell in step, whoever acts."""

from __future__ import annotations

import re

from browsing import arrow, cell, drag, head_of, middle_of, node
from browsing import open_page as open_page  # a fixture
from playwright.sync_api import expect

LIST = """
#include <stdio.h>
#include <stdlib.h>

struct node {
    int data;
    struct node *next;
};

struct node *list;

static void push(int data)
{
    struct node *fresh = malloc(sizeof *fresh);
    fresh->data = data;
    fresh->next = list;
    list = fresh;
}

int main(void)
{
    push(1);
    push(2);
    push(3);
    list->data = 30;
    printf("%d\\n", list->next->data);
    return 0;
}
"""


def test_stepping_in_the_shell_moves_the_page(live, open_page):
    session = live(LIST)
    page = open_page(session.url)
    expect(page.locator("#heap-empty")).to_contain_text("not been started")
    session.command("start")
    expect(page.locator("#source .line.current code")).to_have_text("    push(1);")
    session.command("next")
    expect(page.locator("#source .line.current code")).to_have_text("    push(2);")
    expect(node(page, "n1")).to_have_class(re.compile("mark-added"))
    session.command("next 2")
    expect(page.locator("#source .line.current code")).to_have_text("    list->data = 30;")
    expect(arrow(page, "n3->next", "n2")).to_be_visible()
    expect(arrow(page, "list", "n3")).to_be_visible()
    expect(page.locator("#panel-variables tr[data-place=list] .value-button")).to_have_text("n3")
    session.command("next")
    expect(cell(page, "n3->data")).to_have_class(re.compile("mark-changed"))
    session.command("next")
    page.get_by_role("tab", name="Output").click()
    expect(page.locator("#panel-output pre")).to_have_text("2\n")
    page.get_by_role("tab", name="Log").click()
    expect(page.locator("#panel-log .entry").last).to_contain_text("return 0;")
    page.get_by_role("tab", name="Words").click()
    expect(page.locator("#panel-words")).to_contain_text("list")
    expect(page.locator("#speech")).to_contain_text("main:27")


def test_buttons_keys_and_the_command_line_drive_the_process(live, open_page):
    session = live(LIST)
    page = open_page(session.url)
    page.locator("#heap-empty button", has_text="start").click()
    assert session.from_page() == "start"
    page.get_by_role("button", name="next").click()
    assert session.from_page() == "next"
    page.keyboard.press("s")
    assert session.from_page() == "step"
    expect(page.locator("#stop-title")).to_contain_text("push:")
    page.keyboard.press("f")
    assert session.from_page() == "finish"
    page.keyboard.press(":")
    page.keyboard.type("print list->data")
    page.keyboard.press("Enter")
    assert session.from_page() == "print list->data"
    expect(page.locator("#panel-log .entry").last).to_contain_text("$1 = 2")
    page.locator("#command-line").fill("change n9 n1")
    page.keyboard.press("Enter")
    assert session.from_page() == "change n9 n1"
    expect(page.locator("#answer")).to_contain_text("n9")
    assert "print list->data" in session.out.getvalue()


def test_dragging_an_arrow_changes_the_process(live, open_page):
    session = live(LIST)
    session.command("start")
    session.command("next 3")
    session.command("next")
    page = open_page(session.url)
    drag(page, head_of(arrow(page, "n3->next", "n2")), middle_of(node(page, "n1")))
    assert session.from_page() == "change n3->next n1"
    expect(arrow(page, "n3->next", "n1")).to_be_visible()
    expect(arrow(page, "n3->next", "n2", ghost=True)).to_be_visible()
    expect(node(page, "n2")).to_have_class(re.compile("state-lost"))
    session.command("print list->next->data")
    assert "$1 = 1" in session.out.getvalue()


def test_a_drag_may_end_at_null_and_escape_leaves_all_as_it_was(live, open_page):
    session = live(LIST)
    session.command("start")
    session.command("next 3")
    page = open_page(session.url)
    drag(page, head_of(arrow(page, "n3->next", "n2")), middle_of(node(page, "n1")), drop=False)
    expect(node(page, "n1")).to_have_class(re.compile("aimed"))
    expect(page.locator("#null-target")).to_be_visible()
    page.keyboard.press("Escape")
    page.mouse.up()
    expect(page.locator("#null-target")).to_be_hidden()
    start = head_of(arrow(page, "n3->next", "n2"))
    drag(page, start, middle_of(node(page, "n1")), drop=False)
    drag_end = middle_of(page.locator("#null-target"))
    page.mouse.move(*drag_end, steps=3)
    page.mouse.up()
    assert session.from_page() == "change n3->next null"
    session.command("print list->next == 0")
    assert "$1 = 1" in session.out.getvalue()
    expect(arrow(page, "n3->next", "n2")).to_have_count(0)
    expect(node(page, "n2")).to_have_class(re.compile("state-lost"))
    drag(page, middle_of(cell(page, "n3->next")), middle_of(node(page, "n2")))
    assert session.from_page() == "change n3->next n2"
    session.command("print list->next->data")
    assert "$2 = 2" in session.out.getvalue()


def test_values_are_typed_into_cells(live, open_page):
    session = live(LIST)
    session.command("start")
    session.command("next 3")
    page = open_page(session.url)
    cell(page, "n2->data").click()
    expect(page.locator(".editor input")).to_have_value("2")
    page.keyboard.press("Escape")
    expect(page.locator(".editor")).to_have_count(0)
    cell(page, "n2->data").click()
    page.keyboard.type("77")
    page.keyboard.press("Enter")
    assert session.from_page() == "change n2->data 77"
    expect(cell(page, "n2->data")).to_contain_text("77")
    page.locator("#panel-variables tr[data-place=list] .value-button").click()
    page.locator('.choices [data-value="n1"]').click()
    assert session.from_page() == "change list n1"
    session.command("print list->data")
    assert "$1 = 1" in session.out.getvalue()


def test_the_keyboard_alone_leads_an_arrow_elsewhere(live, open_page):
    session = live(LIST)
    session.command("start")
    session.command("next 3")
    page = open_page(session.url)
    page.keyboard.press("g")
    expect(page.locator('#heap [data-place="list"]:focus')).to_have_count(1)
    page.keyboard.press("ArrowDown")
    expect(page.locator('#heap [data-node="n3"]:focus')).to_have_count(1)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(page.locator('#heap [data-place="n3->next"]:focus')).to_have_count(1)
    expect(page.locator("#facts")).to_contain_text("struct node *")
    page.keyboard.press("Enter")
    page.keyboard.type("n1")
    expect(node(page, "n1")).to_have_class(re.compile("aimed"))
    page.keyboard.press("Enter")
    assert session.from_page() == "change n3->next n1"
    expect(arrow(page, "n3->next", "n1")).to_have_count(1)  # the picture is drawn anew
    expect(page.locator('#heap [data-place="n3->next"]:focus')).to_have_count(1)
    page.keyboard.press("ArrowUp")
    expect(page.locator('#heap [data-place="n3->data"]:focus')).to_have_count(1)
    page.keyboard.press("5")
    page.keyboard.press("Enter")
    assert session.from_page() == "change n3->data 5"


def test_facts_of_what_is_pointed_at(live, open_page):
    session = live(LIST)
    session.command("start")
    session.command("next 2")
    page = open_page(session.url)
    node(page, "n1").locator(".title").hover(force=True)
    facts = page.locator("#facts")
    expect(facts).to_contain_text("struct node")
    expect(facts).to_contain_text("16 bytes")
    expect(facts).to_contain_text(re.compile(r"program0\.c:14"))
    expect(facts).to_contain_text(re.compile("0x[0-9a-f]+"))


ASKING = """
#include <stdio.h>

int main(void)
{
    int first = 0, second = 0;
    printf("how many? ");
    fflush(stdout);
    scanf("%d", &first);
    while (scanf("%d", &second) == 1)
        printf("%d\\n", first * second);
    return 0;
}
"""


def test_a_program_that_waits_for_input_gets_it_from_the_page(live, open_page):
    session = live(ASKING, asks=True)
    page = open_page(session.url)
    page.locator("#heap-empty button", has_text="start").click()
    page.get_by_role("button", name="continue").click()
    field = page.locator("#command-line")
    expect(page.locator("#asks")).to_contain_text("waits for input")
    expect(page.locator("#asks pre")).to_have_text("how many?")
    expect(page.locator("#link")).to_have_text("waits for input")
    expect(field).to_have_attribute("placeholder", "a line for the program")
    expect(field).to_be_focused()
    page.keyboard.type("6 7")
    page.keyboard.press("Enter")
    expect(page.locator("#panel-output pre")).to_have_text("how many? 6 7\n42\n")
    page.locator("#asks button", has_text="end of input").click()
    expect(page.locator("#stop-title")).to_contain_text("exited")
    expect(field).to_have_attribute("placeholder", "a command, as in the terminal")
    expect(page.locator("#asks")).to_be_hidden()


def test_a_program_that_waits_at_once_is_not_told_to_be_started(live, open_page):
    session = live(ASKING, asks=True)
    page = open_page(session.url)
    empty = page.locator("#heap-empty")
    expect(empty).to_contain_text("has not been started")
    empty.get_by_role("button", name="run").click()
    expect(empty).to_contain_text("waits for input")
    expect(empty.locator("button")).to_have_count(0)
    page.locator("#asks button", has_text="end of input").click()
    expect(empty).to_contain_text("exited")


LEAK = """
#include <stdlib.h>

int main(void)
{
    char *text = malloc(8);
    text = NULL;
    return text != NULL;
}
"""


def test_buttons_that_have_nothing_to_do_are_off_and_the_end_tells_what_was_found(live, open_page):
    session = live(LEAK)
    page = open_page(session.url)
    button = page.locator("#controls [data-command]")
    usable = page.locator("#controls [data-command]:enabled")
    expect(usable).to_have_text(["start", "run"])
    button.filter(has_text="run").click()
    assert session.from_page() == "run"
    empty = page.locator("#heap-empty")
    expect(empty).to_contain_text("exited with status 0")
    expect(empty.locator(".told")).to_contain_text(["never freed"])
    expect(usable).to_have_text(["start", "run", "backb", "repairr"])
    empty.get_by_role("button", name="repair").click()
    assert session.from_page() == "repair"


def test_two_pages_and_the_shell_stay_in_step(live, open_page):
    session = live(LIST)
    first, second = open_page(session.url), open_page(session.url)
    session.command("start")
    first.keyboard.press("n")
    assert session.from_page() == "next"
    for page in (first, second):
        expect(page.locator("#source .line.current code")).to_have_text("    push(2);")
        expect(node(page, "n1")).to_be_visible()
    second.get_by_role("tab", name="Log").click()
    expect(second.locator("#panel-log .entry .command").last).to_contain_text("next")


def test_a_page_that_reconnects_catches_up(live, open_page):
    session = live(LIST)
    session.command("start")
    sockets = []
    reachable = True

    def relay(socket):
        if reachable:
            socket.connect_to_server()
            sockets.append(socket)
        else:
            socket.close(code=1011)

    page = open_page(session.url, prepare=lambda page: page.route_web_socket(re.compile("/ws$"), relay))
    expect(page.locator("#link")).to_have_text("live")
    expect(page.locator("#source .line.current code")).to_have_text("    push(1);")
    reachable = False
    sockets[0].close(code=1011)
    expect(page.locator("#link")).to_contain_text("lost")
    expect(page.get_by_role("button", name="next")).to_be_disabled()
    session.command("next 2")
    reachable = True
    expect(page.locator("#source .line.current code")).to_have_text("    push(3);")
    expect(page.locator("#link")).to_have_text("live")
    page.get_by_role("button", name="next").click()
    assert session.from_page() == "next"
    expect(node(page, "n3")).to_be_visible()


ENDLESS = """
int main(void)
{
    volatile int going = 1;
    while (going)
        ;
    return *(volatile int *)0;
}
"""


def test_a_running_program_is_interrupted_from_the_page(live, open_page):
    session = live(ENDLESS)
    session.command("start")
    page = open_page(session.url)
    expect(page.locator("#interrupt")).to_be_disabled()
    page.get_by_role("button", name="continue").click()
    expect(page.locator("#link")).to_have_text("running …")
    page.locator("#interrupt").click()
    assert session.from_page() == "continue"
    expect(page.locator("#link")).to_have_text("live")
    expect(page.locator("#stop-title")).to_contain_text("main:")
    session.command("change going 0")
    session.command("continue")
    expect(page.locator("#stop-title")).to_contain_text("SIGSEGV")
    expect(page.locator("#source .line.current")).to_have_class(re.compile("crashed"))


def test_a_key_goes_back_from_the_present_and_from_an_old_stop(live, open_page):
    session = live(LIST)
    for command in ("start", "next", "next", "next"):
        session.command(command)
    page = open_page(session.url)
    page.keyboard.press("b")
    assert session.from_page() == "back"
    expect(page.locator("#source .line.current code")).to_have_text("    push(3);")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#past")).to_be_visible()
    page.keyboard.press("b")
    assert session.from_page() == "back 2"


def test_what_was_seen_stays_when_the_session_ends(live, open_page):
    session = live(LIST)
    session.command("start")
    session.command("next 2")
    page = open_page(session.url)
    expect(node(page, "n2")).to_be_visible()
    session.view.close()
    expect(page.locator("#link")).to_have_text("session ended")
    expect(page.get_by_role("button", name="next")).to_be_disabled()
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#source .line.current code")).to_have_text("    push(1);")


HOSTILE = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct box {
    char text[64];
    struct box *next;
};

int main(void)
{
    struct box *first = malloc(sizeof *first);
    strcpy(first->text, "<img src=x onerror='hacked=1'>");
    first->next = NULL;
    puts("</pre><script>hacked=1</script><img src=x onerror='hacked=1'>");
    fflush(stdout);
    return first->next != NULL;
}
"""


def test_what_the_program_wrote_stays_text(live, open_page):
    session = live(HOSTILE)
    session.command("start")
    session.command("next 4")
    session.command("print first->text")
    session.command("<script>hacked=1</script>")
    page = open_page(session.url)
    expect(node(page, "n1").locator(".value").first).to_contain_text('"<img src=x onerr')
    page.get_by_role("tab", name="Output").click()
    expect(page.locator("#panel-output pre")).to_contain_text("</pre><script>hacked=1</script><img src=x")
    page.get_by_role("tab", name="Log").click()
    expect(page.locator("#panel-log")).to_contain_text("<img src=x onerror='hacked=1'>")
    expect(page.locator("#panel-log")).to_contain_text("<script>hacked=1</script>")
    node(page, "n1").locator(".cell").first.hover()
    expect(page.locator("#facts")).to_contain_text("<img src=x")
    assert page.locator("img, body script").count() == 0
    assert page.evaluate("typeof hacked") == "undefined"


TREE = """\
#include <stdlib.h>
struct tree { int key; struct tree *left, *right, *parent; };
struct tree *root;
static struct tree *leaf(int key, struct tree *parent) {
    struct tree *t = calloc(1, sizeof *t);
    t->key = key;
    t->parent = parent;
    return t;
}
int main(void) {
    root = leaf(4, 0);
    root->left = leaf(2, root);
    root->right = leaf(6, root);
    return 0;
}
"""


def test_of_a_line_with_two_heads_both_are_seen_and_explained(live, open_page):
    session = live(TREE)
    session.command("break 14")
    session.command("run")
    page = open_page(session.url)
    expect(page.locator("#legend")).to_contain_text("two heads: the grey one leads back")
    back, down = arrow(page, "n2->parent", "n1"), arrow(page, "n1->left", "n2")
    expect(back).to_have_class(re.compile("mark-back"))
    for part in (".line", ".halo"):
        assert back.locator(part).evaluate("each => getComputedStyle(each).stroke") == "none"
    assert down.locator(".line").evaluate("each => getComputedStyle(each).stroke") != "none"


def test_the_programs_name_is_whole_beside_the_buttons(live, open_page, tmp_path):
    source = tmp_path / "rather_long.c"
    source.write_text(TREE)
    session = live(source)
    session.command("start")
    page = open_page(session.url)
    name = page.locator("#program")
    expect(name).to_have_text("rather_long.c")
    for width in (1200, 1250, 1280, 1440):
        page.set_viewport_size({"width": width, "height": 800})
        assert name.evaluate("each => each.scrollWidth <= each.clientWidth + 1"), width
