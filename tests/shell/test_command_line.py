"""Wolverine from outside: exit status, streams, scripts, bad input."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
import started
from started import in_words

SAMPLE = Path(__file__).parents[2] / "samples" / "reverse_dll.c"


def wolverine(
    *arguments: str | Path, stdin: str | None = None, env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    return in_words(started.wolverine(arguments, given=stdin or "", env={**os.environ, **(env or {})}))


def events(done: subprocess.CompletedProcess[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.fixture
def c_file(tmp_path: Path) -> Path:
    file = tmp_path / "small.c"
    file.write_text("int main(void)\n{\n    int x = 1;\n    x = x + 1;\n    return x;\n}\n")
    return file


def test_success_is_0(c_file: Path) -> None:
    done = wolverine(c_file, "--batch", "-ex", "start", "-ex", "next; next")
    assert done.returncode == 0, done.stderr
    assert "main () at" in done.stdout
    assert "x = x + 1;" in done.stdout
    assert "\x1b" not in done.stdout


def test_a_failing_command_is_1_and_ends_a_batch(c_file: Path) -> None:
    done = wolverine(c_file, "--batch", "-ex", "start", "-ex", "change y 3", "-ex", "next")
    assert done.returncode == 1
    assert "y" in done.stderr
    assert "x = x + 1;" not in done.stdout


def test_an_error_in_a_script_names_file_and_line(c_file: Path, tmp_path: Path) -> None:
    script = tmp_path / "story.wol"
    script.write_text("# first\nstart\n\nresume nowhere\nnext\n")
    done = wolverine(c_file, "--batch", "--json", "-x", script)
    assert done.returncode == 1
    last = events(done)[-1]
    assert (last["event"], last["script"], last["line"]) == ("error", str(script), 4)
    assert last["command"] == "resume nowhere"
    assert f"{script}:4" in done.stderr


def test_scripts_and_commands_run_in_the_order_given(c_file: Path, tmp_path: Path) -> None:
    script = tmp_path / "story.wol"
    script.write_text("start\n")
    done = wolverine(c_file, "--json", "--batch", "-ex", "echo one\\n", "-x", script, "-ex", "echo two\\n")
    assert done.returncode == 0, done.stderr
    kinds = [event["text"].strip() if event["event"] == "text" else event["event"] for event in events(done)]
    assert kinds.index("one") < kinds.index("stopped") < kinds.index("two")


def test_json_is_all_there_is_on_stdout(c_file: Path) -> None:
    done = wolverine(
        c_file, "--json", "--batch", "-ex", "start", "-ex", "print x", "-ex", "help", "-ex", "spec"
    )
    assert done.returncode == 0, done.stderr
    assert all("event" in event for event in events(done))


def test_commands_from_a_pipe_go_on_after_errors(c_file: Path) -> None:
    done = wolverine(c_file, stdin="start\nenter\nnext\n\nquit\nnext\n")
    assert done.returncode == 1
    assert "x = x + 1;" in done.stdout
    assert "return x;" in done.stdout


def test_a_program_that_crashes_or_fails_is_no_failure_of_ours(tmp_path: Path) -> None:
    crash = tmp_path / "crash.c"
    crash.write_text("int main(void)\n{\n    int *p = 0;\n    *p = 1;\n    return 0;\n}\n")
    done = wolverine(crash, "--batch", "--json", "-ex", "run")
    assert done.returncode == 0, done.stderr
    (signal,) = [event for event in events(done) if event["event"] == "signalled"]
    assert (signal["signal"], signal["line"]) == ("SIGSEGV", 4)


def test_the_exit_of_the_program_is_reported(c_file: Path) -> None:
    done = wolverine(c_file, "--batch", "--json", "-ex", "run")
    assert done.returncode == 0, done.stderr
    assert events(done)[-1] == {"event": "exited", "code": 2}


def test_arguments_and_input_reach_the_program(tmp_path: Path) -> None:
    echo = tmp_path / "echo.c"
    echo.write_text(
        "#include <stdio.h>\nint main(int argc, char **argv)\n{\n    char line[80];\n"
        '    if (fgets(line, 80, stdin)) printf("%s|%s", argv[argc - 1], line);\n    return 0;\n}\n'
    )
    (tmp_path / "in.txt").write_text("from the file\n")
    done = wolverine(
        echo, "--batch", "--json", "--stdin", tmp_path / "in.txt", "-ex", "run", "--", "-x", "last"
    )
    assert done.returncode == 0, done.stderr
    assert "".join(e["text"] for e in events(done) if e["event"] == "output") == "last|from the file\n"


def test_an_argument_may_hold_blanks(tmp_path: Path) -> None:
    count = tmp_path / "count.c"
    count.write_text("int main(int argc, char **argv)\n{\n    return argc;\n}\n")
    done = wolverine(count, "--batch", "--json", "-ex", "run", "--", "a b", "c;d")
    assert events(done)[-1] == {"event": "exited", "code": 3}


def test_without_input_the_program_reads_the_end(tmp_path: Path) -> None:
    read = tmp_path / "read.c"
    read.write_text("#include <stdio.h>\nint main(void)\n{\n    return getchar() == EOF ? 7 : 1;\n}\n")
    done = wolverine(read, "--batch", "--json", "-ex", "run")
    assert events(done)[-1] == {"event": "exited", "code": 7}


def test_flags_reach_the_compiler(c_file: Path) -> None:
    c_file.write_text("int main(void)\n{\n    return N;\n}\n")
    done = wolverine(c_file, "--cflags", "-DN=5", "--batch", "--json", "-ex", "run")
    assert events(done)[-1] == {"event": "exited", "code": 5}, done.stderr


def _no_such_file(tmp_path: Path) -> list[str]:
    return [str(tmp_path / "nowhere.c")]


def test_what_comes_out_of_a_pipe_is_there_for_every_run(tmp_path: Path) -> None:
    file = tmp_path / "doubled.c"
    file.write_text(
        '#include <stdio.h>\nint main(void)\n{\n    int n = 0;\n    scanf("%d", &n);\n'
        '    printf("%d\\n", 2 * n);\n    return 0;\n}\n'
    )
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_text, args=("21\n",), daemon=True)
    writer.start()
    done = wolverine(file, "--stdin", pipe, "--batch", "-ex", "run", "-ex", "run")
    assert done.stdout.count("42\n") == 2, done.stderr


def _given_to_the_program(_tmp_path: Path) -> list[str]:
    return [str(SAMPLE), "12"]


def _directory(tmp_path: Path) -> list[str]:
    return [str(tmp_path)]


def _does_not_compile(tmp_path: Path) -> list[str]:
    (tmp_path / "wrong.c").write_text("int main(void) { return undeclared; }\n")
    return [str(tmp_path / "wrong.c")]


def _no_script(tmp_path: Path) -> list[str]:
    return [str(SAMPLE), "-x", str(tmp_path / "nowhere.wol")]


def _no_stdin(tmp_path: Path) -> list[str]:
    return [str(SAMPLE), "--stdin", str(tmp_path / "nowhere.txt")]


def _no_debug_information(tmp_path: Path) -> list[str]:
    (tmp_path / "plain.c").write_text("int main(void) { return 0; }\n")
    subprocess.run(["gcc", "-o", str(tmp_path / "plain"), str(tmp_path / "plain.c")], check=True)
    return ["--exe", str(tmp_path / "plain")]


def _cplusplus(tmp_path: Path) -> list[str]:
    (tmp_path / "list.cpp").write_text("int main() { return *new int; }\n")
    return [str(tmp_path / "list.cpp")]


def _header(tmp_path: Path) -> list[str]:
    (tmp_path / "list.h").write_text("struct list { int v; };\n")
    return [str(tmp_path / "list.h")]


def _binary(tmp_path: Path) -> list[str]:
    return _no_debug_information(tmp_path)[1:]


def _usage(_tmp_path: Path) -> list[str]:
    return ["--nonsense"]


@pytest.mark.parametrize(
    ("make", "word"),
    [
        (_no_such_file, "nowhere.c cannot be read"),
        (_given_to_the_program, "12 cannot be read: No such file or directory; what is given to the program"),
        (_directory, "cannot be read"),
        (_does_not_compile, "undeclared"),
        (_no_script, "nowhere.wol cannot be read"),
        (_no_stdin, "nowhere.txt cannot be read"),
        (_no_debug_information, "-g"),
        (_usage, "--nonsense"),
        (_cplusplus, "Wolverine debugs C only"),
        (_header, "list.h is a header, no program"),
        (_binary, "plain is a binary, no C file: --exe "),
    ],
)
def test_nothing_to_start_with_is_2(make: Any, word: str, tmp_path: Path) -> None:
    done = wolverine(*make(tmp_path), "--batch", "-ex", "start")
    assert done.returncode == 2
    assert word in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("tool", ["gdb", "gcc"])
def test_a_missing_tool_is_2_and_named(tool: str, tmp_path: Path) -> None:
    for each in {"gdb", "gcc", "cc", "as", "ld", "cpp"} - {tool}:
        found = shutil.which(each)
        assert found is not None
        (tmp_path / each).symlink_to(found)
    done = wolverine(SAMPLE, "--batch", "-ex", "start", env={"PATH": str(tmp_path)})
    assert done.returncode == 2
    assert tool in done.stderr
    assert "Traceback" not in done.stderr


def test_a_reader_that_goes_away_is_no_drama(c_file: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-m", "wolverine", str(c_file), "--batch", "-ex", "start", "-ex", "next"],
        stdout=writing,
        stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        check=False,
    )
    os.close(writing)
    assert done.returncode == 1
    assert done.stderr == b""


def test_being_told_to_end_again_and_again_is_a_quiet_end(tmp_path: Path) -> None:
    source = tmp_path / "endless.c"
    source.write_text(
        '#include <stdio.h>\nint main(void)\n{\n    puts("here");\n    fflush(stdout);\n    for (;;) ;\n}\n'
    )
    folder = tmp_path / "scratch"
    folder.mkdir()
    with subprocess.Popen(
        [
            sys.executable,
            "-m",
            "wolverine",
            source,
            "--batch",
            "-ex",
            "start",
            "-ex",
            "next 2",
            "-ex",
            "next",
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "TMPDIR": str(folder)},
        text=True,
    ) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        assert any("here" in line for line in running.stdout)
        while running.poll() is None:
            running.send_signal(signal.SIGTERM)
            with contextlib.suppress(subprocess.TimeoutExpired):
                running.wait(0.001)
        assert running.stderr.read() == ""
    assert running.returncode == 128 + signal.SIGTERM
    assert not [each.name for each in folder.iterdir() if each.name.startswith("wolverine-")]


LOST = """\
import os, signal, time
from importlib import import_module
main = import_module("wolverine.cli.main")
main._AGAIN = 0.05
signal.signal(signal.SIGTERM, main._leave)
class Finalized:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGTERM)
try:
    Finalized()
    time.sleep(20)
finally:
    main._undisturbed()
"""


def test_to_be_told_to_end_in_a_finalizer_is_not_lost() -> None:
    ended = subprocess.run([sys.executable, "-c", LOST], capture_output=True, timeout=15)
    assert ended.returncode == 143
