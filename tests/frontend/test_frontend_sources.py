"""Original bytes: lexing, positions, alignment through macros, tabs, CRLF and continued lines."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wolverine.errors import SourceError, ToolMissingError
from wolverine.frontend import load, offset_of
from wolverine.frontend.headings import headers
from wolverine.frontend.items import NO_HEADERS, begin, prepare
from wolverine.frontend.preprocess import SourceMap, align, heading_tokens, preprocess
from wolverine.frontend.tokens import Lines, Token, lex


@given(st.text(st.characters(max_codepoint=255), max_size=200))
def test_lexing_covers_any_text_in_order(text):
    lexed = lex(text)
    position = 0
    for lexeme in lexed.lexemes:
        assert position <= lexeme.start < lexeme.end
        position = lexeme.end
    assert position <= len(text)


@given(st.binary(max_size=200), st.integers(0, 200))
def test_lines_and_columns_lead_back(content, offset):
    lines = Lines(content)
    offset = min(offset, len(content))
    if content.startswith(b"\xef\xbb\xbf") and offset < 3:
        return
    assert lines.offset(lines.line(offset), lines.column(offset)) == offset


SOURCE = (
    "#define NEXT(p) p->next\n#define ONE 1\nstruct n { struct n *next; int d; };\n"
    "void g(struct n *p) {\n\tint x = ONE; /* é */ while (NEXT(p)) p = \\\n   NEXT(p);\n"
    "#if 0\n  nonsense ONE (\n#endif\n\tp->d = ONE + 2; x = 3;\n}\n"
)


@pytest.mark.parametrize("prefix", ["", "\ufeff"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_spans_hold_the_statements(prefix, newline, tmp_path):
    path = tmp_path / "p.c"
    content = (prefix + SOURCE).replace("\n", newline).encode()
    path.write_bytes(content)
    program = load([path]).program
    spans = {
        content[location.span.start : location.span.end].decode().replace("\r", "")
        for location in program.locations
        if location.kind not in ("gap", "fixed")
    }
    assert spans == {"ONE", "NEXT(p)", "p = \\\n   NEXT(p)", "p->d = ONE + 2", "x = 3"}
    assert offset_of(program, str(path), 4, 1) == content.index(b"void g")
    assert offset_of(program, str(path), 99, 1) is None
    assert offset_of(program, "other.c", 1, 1) is None


def failing(content: bytes, tmp_path: Path) -> str:
    path = tmp_path / "p.c"
    path.write_bytes(content)
    with pytest.raises(SourceError) as caught:
        load([path])
    return str(caught.value)


def test_what_gcc_refuses_is_said_in_its_words(tmp_path):
    assert "p.c:1" in failing(b"int main(void) { return 1 }\n", tmp_path)
    assert "nested depth" in failing(b'#include "p.c"\n', tmp_path)
    assert failing(bytes(range(256)) * 20, tmp_path)
    with pytest.raises(SourceError, match="No such file"):
        load([tmp_path / "missing.c"])


def test_a_missing_compiler_is_named(tmp_path):
    path = tmp_path / "p.c"
    path.write_text("int x;\n")
    with pytest.raises(ToolMissingError, match="no-such-gcc"):
        load([path], gcc="no-such-gcc")


def test_extremes(tmp_path):
    path = tmp_path / "p.c"
    path.write_bytes(b"")
    assert load([path]).program.functions == {}
    path.write_text(f"int main(void) {{ int x = {'(' * 1000}1{')' * 1000}; return x; }}\n")
    assert load([path]).program.functions["main"].unsupported == ""
    path.write_text(f"int main(void) {{ int x = 1; return {' + '.join(['x'] * 3000)}; }}\n")
    assert load([path]).program.functions["main"].code
    path.write_bytes(b"int x;\n" * 400_000)
    loaded = load([path])
    assert loaded.program.functions == {} and "without repair" in loaded.warnings[0]


HEADED = (
    "#include <stdlib.h>\n#include <stddef.h>\n#define ENDS\n#include <string.h>\n"
    "static __typeof__(sizeof 1) kept;\n#include <stdio.h>\n"
    'int main(void) { return puts(strchr("a", 97)); }\n'
)


@pytest.mark.parametrize("text", [HEADED, "struct s { int a; };\nvoid f(struct s *p) { p->a = 1; }\n"])
def test_headers_that_are_known_come_to_the_same(text, tmp_path):
    path = tmp_path / "p.c"
    path.write_text(text)
    names = [str(path)]
    printed = preprocess(names[0], (), "gcc", names)
    source = SourceMap()
    source.number(names[0])
    tokens = align(printed.tokens, source, names.__contains__)
    above = headers(printed.heading)
    assert above is headers(preprocess(names[0], (), "gcc", names).heading)
    whole = prepare([*(Token(word) for word, _ in heading_tokens(printed.heading)), *tokens], NO_HEADERS)
    assert prepare(tokens, above.heading) == whole
    assert above.null == above.allocates == ("stdlib" in text)


def test_headers_that_end_within_a_declaration_are_read_with_it():
    assert begin([Token(word) for word in ["int", "a", ";", "int", "b"]]) is None
    assert begin([Token(word) for word in ["struct", "s", "{", "int", "a", ";", "}"]]) is None
    assert begin([Token(word) for word in ["int", "f", "(", "a", ")", "int", "a", ";"]]) is None
    assert begin([Token(word) for word in ["int", "f", "(", "void", ")", "{", "}"]]) is not None
