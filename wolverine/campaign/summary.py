"""A campaign's figures as a table of text, against the targets (Wolverine2 section 7)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from statistics import median

from wolverine.campaign.records import Record

_COLUMNS = (
    "class", "engine", "specs", "traces", "runs", "repaired", "minimal=x+y", "median s", "p99 s",
    "median cpu s", "search cpu s", "search p99", "timeouts", "right 1st", "exposed: right 1st",
    "after a question", "holdout 1st", "holdout after", "replaced", "errors",
)  # fmt: skip


def table(records: Iterable[Record]) -> str:
    """One line for each class, engine, specification and number of traces; `all` for all classes."""
    kept = list(records)
    groups: dict[tuple[str, str, str, int], list[Record]] = {}
    for record in kept:
        for klass in (record.klass, "all"):
            groups.setdefault((klass, record.engine, record.specs, record.traces), []).append(record)
    lines = [list(_COLUMNS)]
    order = sorted(groups, key=lambda group: (group[1:], group[0]))
    lines += [[klass, engine, specs, str(n), *_figures(groups[klass, engine, specs, n])]
              for klass, engine, specs, n in order]  # fmt: skip
    return "\n\n".join(part for part in (laid_out(lines), localizers(kept), ratios(kept)) if part) + "\n"


def _figures(records: Sequence[Record]) -> list[str]:
    run = [r for r in records if not r.missing and not r.error]
    fixed = [r for r in run if r.repaired]
    shown = [r for r in fixed if r.exposed] if any(r.minimal_edits is not None for r in run) else fixed
    held = [r for r in shown if r.holdout]
    seconds = sorted(r.seconds for r in fixed)
    searched = sorted(r.processor_seconds - r.ranking_seconds for r in fixed)
    return [
        str(len(run)), _share(fixed, run), _share(shown, fixed),
        _seconds(seconds, 0.5), _seconds(seconds, 0.99),
        _seconds(sorted(r.processor_seconds for r in fixed), 0.5),
        _seconds(searched, 0.5), _seconds(searched, 0.99),
        str(sum(r.timeout for r in run)),
        _share([r for r in run if r.right_first], run),
        _share([r for r in shown if r.right_first], shown),
        _share([r for r in shown if r.right_after_question], shown),
        _share([r for r in held if r.right_first], held),
        _share([r for r in held if r.right_after_question], held),
        str(sum(r.replaced for r in run)), str(len(records) - len(run)),
    ]  # fmt: skip


def localizers(records: Sequence[Record]) -> str:
    """What the localizers suspect, over the exposed faults."""
    shown = [r for r in records if r.exposed]
    lines = [
        [
            "localizer",
            "specs",
            "traces",
            "runs",
            "contain the fault",
            "median share of function",
            "of program",
            "median s",
        ]
    ]
    groups: dict[tuple[str, str, int], list[Record]] = {}
    for record in shown:
        for name in record.suspects:
            groups.setdefault((name, record.specs, record.traces), []).append(record)
    for (name, specs, traces), found in sorted(groups.items()):
        lines.append(
            [
                name, specs, str(traces), str(len(found)),
                _share([r for r in found if r.suspects_contain_fault[name]], found),
                f"{100 * median(r.suspects[name] for r in found):.1f} %",
                f"{100 * median(r.suspects_of_program.get(name, 1.0) for r in found):.1f} %",
                _seconds(sorted(r.localize_seconds[name] for r in found), 0.5),
            ]
        )  # fmt: skip
    return laid_out(lines) if len(lines) > 1 else ""


def ratios(records: Sequence[Record], base: str = "search") -> str:
    """Seconds of other engines over those of `search` on the same faults; time-outs are counted apart."""

    def fault(record: Record) -> tuple[str, str, int, int, str, int]:
        return (record.program, record.klass, record.variant, record.seed, record.specs, record.traces)

    ours = {fault(r): r for r in records if r.engine == base and r.repaired}
    lines = [["engine", "class", "faults", "both repaired", "median ratio", "timeouts"]]
    groups: dict[tuple[str, str], list[Record]] = {}
    for record in records:
        if record.engine != base and fault(record) in ours:
            for klass in (record.klass, "all"):
                groups.setdefault((record.engine, klass), []).append(record)
    for (engine, klass), found in sorted(groups.items()):
        both = [r for r in found if r.repaired]
        told = f"{median(r.seconds / max(ours[fault(r)].seconds, 1e-6) for r in both):.1f}" if both else "-"
        lines.append(
            [engine, klass, str(len(found)), str(len(both)), told, str(sum(r.timeout for r in found))]
        )
    return laid_out(lines) if len(lines) > 1 else ""


def failures(records: Iterable[Record], wanted: Callable[[Record], bool]) -> str:
    """The runs that are told apart, each with its fault and the repair that was offered."""
    lines = []
    for r in filter(wanted, records):
        lines.append(f"{r.program} <{r.klass}> variant {r.variant} seed {r.seed} {r.specs} {r.function}")
        lines += [f"    fault  {line}" for line in r.difference.splitlines() if line[:1] in "-+"]
        lines += [f"    repair {line}" for line in r.repair.splitlines() if line[:1] in "-+"]
        lines.append(
            f"    {r.reason or r.error or r.missing or 'repaired'}; {r.edits} edits, "
            f"{r.candidates} candidates, {r.behaviours} behaviours, "
            f"rank of right {r.rank_of_right}, after a question {r.right_after_question}, {r.seconds:.3f} s"
        )
    return "\n".join(lines) + "\n" if lines else ""


def _share(part: Sequence[Record], whole: Sequence[Record]) -> str:
    return f"{len(part)}/{len(whole)} {100 * len(part) / len(whole):.1f} %" if whole else "-"


def quantile(ordered: Sequence[float], share: float) -> float:
    """The value below which that share of the sorted values lies."""
    return ordered[min(int(share * len(ordered)), len(ordered) - 1)]


def _seconds(ordered: Sequence[float], share: float) -> str:
    return f"{quantile(ordered, share):.4f}" if ordered else "-"


def laid_out(lines: Sequence[Sequence[str]]) -> str:
    """Rows of cells as text in columns."""
    widths = [max(len(line[at]) for line in lines) for at in range(len(lines[0]))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() for line in lines
    )
