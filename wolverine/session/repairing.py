"""repair, candidates, accept, localize, rewrite: from constraints to a patched process and source."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace

from wolverine import draw, frontend
from wolverine.core.patch import Candidate, NoRepair, Patch, Repairs
from wolverine.core.program import Program
from wolverine.core.trace import Budget, Problem, Trace
from wolverine.errors import CommandError
from wolverine.repair.heaps.outcomes import shown
from wolverine.repair.source.frees import frees
from wolverine.semantics.losing import freed_types
from wolverine.semantics.replay import replay
from wolverine.semantics.violations import Violation
from wolverine.session import answers, apart, engines, results, violating
from wolverine.session.asking import UNASKED, Aside, Asking
from wolverine.session.beginning import begin_further_out, constrain
from wolverine.session.commands import Localize, Repair
from wolverine.session.constraints import crashed, only_input, problem_of, trace_of, under_way
from wolverine.session.correcting import Correcting
from wolverine.session.describing import (
    ended_early,
    explained,
    listed,
    numbered,
    repaired,
    unfollowed,
    written,
)
from wolverine.session.doubts import alone, doubts
from wolverine.session.editable import editable_locations, generated
from wolverine.session.execution import Execution
from wolverine.session.gate import Gate, Passed, unrepeatable
from wolverine.session.leaking import Leaking, leaks
from wolverine.session.localizing import localized
from wolverine.session.moments import NO_PATCH, NOT_ONE, Applied
from wolverine.session.outward import Outward

_FAULTS = ("signal", "violation", "budget", "memory")  # what stops a program that does something wrong
_UNMET = "the model does not come to the crash"
_UNMET_LOOP = "the model does not come to the loop that has no end"
_GO_ON = "let it go on for a while (`continue`) and try `repair` again there, or "
_MAY_STAY = (
    "maybe what is freed now should not have been lost; where it belongs it can be put instead: `accept 0`, "
    "`change PLACE NODE`"
)
_OFFERED = 20  # candidates that are tried in the process


class Repairing:
    """Asks the engine, passes its candidates through the gate, and tells what came of it."""

    def __init__(
        self,
        program: Program,
        execution: Execution,
        gate: Gate,
        emit: Callable[[results.Result], None],
        interrupted: Callable[[], bool],
        aside: Aside,
        correcting: Correcting,
        work: int | None = None,
    ) -> None:
        self._program = program
        self._execution = execution
        self._gate = gate
        self._emit = emit
        self._work = Budget().work if work is None else work
        self._interrupted = interrupted
        self._found: Repairs | None = None
        self._found_at = 0  # the number of the stop at which it is offered
        self._engine = engines.DEFAULT
        self._trace: Trace | None = None  # of the last repair
        self._said: object = None  # what bound it
        self._outward = Outward(program, execution, emit)
        self._asking = Asking(execution, emit, aside)
        self._aside = aside
        self._leaking = Leaking(program, execution, correcting, emit)
        self._violation: Violation | None = None  # at the end of the execution under repair
        self._leak = False  # whether the last repair is about nodes that were lost
        self._begun_here = False  # whether it begins behind what was repaired before

    def repair(self, command: Repair) -> None:
        """Find and apply the smallest edits; raises CommandError where there are none."""
        told: list[str] | None = [] if command.explain else None
        solve = engines.engine(
            command.engine, localize=command.localize, told=None if told is None else told.append
        )
        self._engine = command.engine or engines.DEFAULT

        def repairing(problem: Problem) -> Repairs | NoRepair:
            return solve(problem, interrupted=self._interrupted)

        execution = self._execution
        if not execution.path:
            execution.here()
        if command.answer is None and self._repaired_here() is None:
            self._go_back()
            self._begin_anew()
            self._violation = None
            self._leak = self._leaking.go_back()
            self._leaking.refuse()
            self._refuse_the_end()
        if command.answer is not None and not execution.path[-1].stop.alive:
            raise CommandError(UNASKED)
        self._begun_here = False
        self._violation = execution.here().violation or self._violation
        self._refuse_overflow()
        began = time.perf_counter()
        kept = None
        if command.answer is not None:
            kept = self._asking.answer(command.answer, self._require_found())
        budget = Budget(self._work, command.seconds, insertions=command.insert)
        if execution.start is None:
            constrain(execution)
        self._refuse_generated()
        editable = editable_locations(self._program, command)
        answered = command.answer is not None
        if self._repaired_here() is None:
            looking = self._outward.before_assertion()
            checks = self._outward.checks()
            if (looking or checks) and editable is None:
                others = (each for each in self._program.locations if each.function not in looking)
                editable = frozenset(each.id for each in others) - checks
            self._outward.before_endless()
            self._outward.before_frees()
            self._outward.before_unset()
            self._outward.before_kept()
            self._outward.before_lost()
            self._outward.before_parted()
            self._outward.before_forgotten()
            self._outward.before_null()
        problem = self._problem(budget, editable, answered)
        while only_input(problem.traces[0]):
            function = execution.path[-1].stop.frames[0].function
            if not self._outward.further(f"all that was said lies where {function} begins"):
                break
            problem = self._problem(budget, editable, answered)
        given, mended = answers.given(execution.path), self._mended(problem)
        if mended is not None and not answered and not given and self._suffices(problem, mended):
            self._nothing_more(problem.accepted, time.perf_counter() - began)
            return

        def solved(problem: Problem) -> Repairs | NoRepair:
            return answers.solve(problem, given, lambda each: apart.beside(each, repairing, mended))

        if self._leak and kept is None:
            problem, answer = self._leaking.solve(
                problem, solved, lambda: self._problem(budget, editable, answered)
            )
        else:
            answer = kept or solved(problem)
            if isinstance(answer, NoRepair) and answer.reason == "budget" and self._begin_here():
                problem = self._problem(budget, editable, answered)
                answer = solved(problem)
        if kept is None and self._unmet(problem, answer):
            violation = execution.path[-1].violation
            endless = violation is not None and violation.kind == "endless"
            unmet = _UNMET_LOOP if endless else _UNMET
            for moved in (self._outward.innermost, self._outward.furthest):
                if moved(unmet):
                    problem = self._problem(budget, editable, answered)
                    answer = solved(problem)
                    if not self._unmet(problem, answer):
                        break
            else:
                going_on = _GO_ON if endless else ""
                advice = f"{unmet}; {going_on}correct a picture on the way there (`change`)"
                answer = NoRepair("unsupported", (advice,))
        if kept is None and isinstance(answer, Repairs) and self._outward.is_in_vain(problem, answer):

            def from_there() -> tuple[Problem, Repairs | NoRepair]:
                further = self._problem(budget, editable, answered)
                return further, solved(further)

            problem, answer = self._outward.unless_in_vain(problem, answer, from_there)
        seconds = time.perf_counter() - began
        if told:
            self._emit(results.Text("\n".join(told) + "\n"))
        match answer:
            case NoRepair(reason, core):
                if self._interrupted():
                    reason = "interrupted"
                ways = (unfollowed(self._execution.model, each) for each in problem.traces)
                why = next(filter(None, ways), "")
                if reason == "unsatisfiable" and why:
                    reason, core = "unsupported", (why,)
                self._emit(results.NotRepaired(self._engine, reason, core, seconds))
                if reason == "budget":
                    words = ended_early(self._program, problem, command, seconds)
                    raise self._refused(f"{words}. Besides, {why}" if why else words)
                raise self._refused(f"no repair: {explained(reason, core)}")
            case Repairs():
                if kept is None and self._interrupted() and not answer.compared and answer.total > 1:
                    raise self._held_back(answer, problem, seconds)
                self._trace, self._said = problem.traces[0], None
                earlier = NO_PATCH if answered else execution.path[-1].applied.patch
                failed = self._offer(answer, problem, began, earlier, command)
                larger = replace(budget, least=answer.candidates[0].cost + 1)
                if failed and kept is None and larger.least <= budget.edits:
                    again = repairing(replace(problem, budget=larger))
                    if isinstance(again, Repairs):
                        failed = self._offer(again, problem, began, earlier, command)
                if failed:
                    core = tuple(failed[:3])
                    self._emit(results.NotRepaired(self._engine, "unsupported", core, seconds))
                    raise self._refused(
                        f"no repair: every candidate failed in the process; {'; '.join(core)}"
                    )

    def leave_loop(self) -> None:
        """Stand in front of the loop without an end in which the program was interrupted, if it was in one.

        Or in front of what C forbids on the way there.
        """
        path = self._execution.path
        if path and under_way(path[-1]) and self._repaired_here() is None:
            self._go_back()

    def _go_back(self) -> None:
        """Stand in front of the first violation where nothing that binds tells more."""
        violating.go_back(self._program, self._execution, self._emit, said=self._bound())

    def _held_back(self, found: Repairs, problem: Problem, seconds: float) -> CommandError:
        """Show what an interrupted search has found and not compared; it waits for `accept`.

        The best of them is not known then, and whoever ends a search has asked for none of them.
        """
        self._found, self._trace, self._said = found, problem.traces[0], self._binding()
        self._asking.forget()
        moment = self._execution.path[-1]
        self._found_at = moment.number
        applied = replace(moment.applied, candidates=found.candidates, chosen=NOT_ONE)
        self._execution.replace_present(replace(moment, applied=applied))
        self._emit(results.NotRepaired(self._engine, "interrupted", (), seconds))
        self.candidates()
        return CommandError(
            f"the search was interrupted before its {found.total} candidates were compared, so none of them "
            "is put in force: `accept 1` takes the first, `repair` searches anew"
        )

    def _refused(self, why: str) -> CommandError:
        """What tells that there is no repair."""
        fresh = self._leak and self._repaired_here() is None
        return self._leaking.refused(why) if fresh else CommandError(why)

    def _begin_anew(self) -> None:
        """Another crash, when what was repaired before is over, is another execution: nothing binds them.

        Nor does anything bind the use of a freed node then, which the process has survived.
        """
        path, start = self._execution.path, self._execution.start
        if start is None or not (crashed(path[-1]) or self._survived()):
            return
        said = [index for index, moment in enumerate(path) if moment.constrained]
        if said and not self._repaired_since(said[-1]):
            return
        if self._over() or path[start].activation not in path[-1].activations:
            self._execution.start = None

    def _begin_here(self) -> bool:
        """Begin in the present call, if nothing was said in it before the repair in force; whether it does.

        That repair stays.  What comes before it would have to be explained once more, which takes long.
        Where all that was said is what the call was given, it begins in the nearest caller that made it, if
        that is not where it began.
        """
        execution = self._execution
        *before, present = execution.path
        said = [index for index, moment in enumerate(before) if moment.constrained]
        if not (said and present.constrained and present.applied.patch.edits):
            return False
        if any(present.activation in before[each].activations for each in said):
            return False
        if not self._repaired_since(said[-1]):
            return False
        path, start = list(execution.path), execution.start or 0
        execution.start = None
        constrain(execution)
        nearer = True
        while nearer and only_input(self._trace_here()):
            nearer = begin_further_out(execution)
        begun = execution.path[execution.start or 0]
        if not nearer or begun.activation == path[start].activation:
            execution.path[:], execution.start = path, start
            execution.path[start:] = execution.tracer.refollow(execution.path, start)
            return False
        self._begun_here = True
        function = begun.stop.frames[0].function
        self._emit(
            results.Note(f"what was repaired before stays: the execution under repair begins in {function}")
        )
        return True

    def _trace_here(self) -> Trace:
        """The execution under repair."""
        execution = self._execution
        return trace_of(execution.model, execution.path, execution.start or 0, frozenset(execution.dropped))

    def _over(self) -> bool:
        """Whether the present activation is a later one than those in which something was said."""
        path = self._execution.path
        said = [moment for moment in path if moment.constrained]
        return bool(said) and path[-1].activation not in said[-1].activations

    def _survived(self) -> bool:
        """Whether freed nodes were used since something was said that is met and over."""
        path = self._execution.path
        return bool(self._execution.tracer.uses()) and any(each.violates for each in path[self._bound() :])

    def _bound(self) -> int:
        """From which moment of the path on what is said counts: behind what is repaired and over."""
        path = self._execution.path
        said = [index for index, moment in enumerate(path) if moment.constrained]
        return said[-1] + 1 if said and self._over() and self._repaired_since(said[-1]) else 0

    def _repaired_since(self, said: int) -> bool:
        """Whether the repair in force was found for what was said up to that moment."""
        if self._found is None:
            return False
        found = self._found.candidates
        path = self._execution.path
        applied = (moment.applied for moment in path[said:])
        return any(each.candidates is found and each.chosen != NOT_ONE for each in applied)

    def settled(self) -> bool:
        """Whether the repair in force met all that was said, and the process went on from there."""
        path = self._execution.path
        said = [index for index, moment in enumerate(path) if moment.constrained]
        return not said or (said[-1] < len(path) - 1 and self._repaired_since(said[-1]))

    @property
    def faulty(self) -> bool:
        """Whether the program has come to a fault, or ended with one that a repair goes by."""
        path = self._execution.path
        if not path:
            return False
        if path[-1].stop.reason == "exited":
            return self._ended_faulty() or (leaks(self._execution) and bool(freed_types(self._program)))
        return path[-1].stop.reason in _FAULTS

    def _ended_faulty(self) -> bool:
        """Whether the program has done on its way to the end what C forbids."""
        return any(each.violates for each in self._execution.path) or bool(self._execution.tracer.uses())

    def _refuse_the_end(self) -> None:
        """Where the program has ended and nothing tells what was wrong, CommandError says what to do."""
        path = self._execution.path
        if path[-1].stop.reason == "exited" and not self._bound() and not self._ended_faulty():
            raise CommandError(
                f"the program has ended without a fault that tells what to repair{self._unlooked()}; stop "
                "where the picture is wrong (`break FUNCTION`, `run`), correct it (`change`, `spec`), and "
                "`repair` there"
            )
        if crashed(path[-1]) and not path[-1].stack:
            raise CommandError(
                "the program crashed outside of its own code, and nothing tells which statement led there; "
                "stop where the picture is wrong (`break FUNCTION`, `run`), correct it (`change`, `spec`), "
                "and `repair` there"
            )

    def _unlooked(self) -> str:
        """From where on nobody has looked for faults, in words."""
        frame = self._execution.path[-1].short_of
        if frame is None:
            return ""
        return (
            f" (from line {frame.line} in {frame.function} on, where it opens files or starts other "
            "programs, it is not carried out again to look for one)"
        )

    def _refuse_generated(self) -> None:
        """Where what crashed stands in a macro, CommandError: neither stops nor edits have a place in it."""
        path = self._execution.path
        name = path[-1].stack[0][0] if crashed(path[-1]) and path[-1].stack else ""
        if not generated(self._program, name) or any(each.constrained for each in path):
            return
        line = self._program.functions[name].line
        raise CommandError(
            f"no repair: all of {name} comes out of the macro at line {line}, and what is done there has no "
            f"place in the source that a stop or an edit could have. Write {name} out as a function "
            "(`gcc -E` shows it), or correct a picture in what calls it (`change`) and `repair` there"
        )

    def _refuse_overflow(self) -> None:
        """Where calls without end could not be followed, a repair can be held to nothing."""
        path = self._execution.path
        stop = path[-1].stop
        if not stop.overflowed or any(moment.constrained for moment in path):
            return
        name = stop.frames[0].function
        why = (
            f"the stack is full, and nothing tells which call of {name} is wrong: stop where it begins "
            f"(`break {name}`, `run`, `continue`), correct what it is given (`change`), and `repair` there"
        )
        self._emit(results.NotRepaired(self._engine, "unsupported", (why,), 0.0))
        raise CommandError(f"no repair: {why}")

    def _accepted_before(self, *, answered: bool) -> Patch:
        """The patch in force; where a question about it was answered, the one in force at the stop before."""
        path = self._execution.path
        if not answered:
            return path[-1].applied.patch
        return path[-2].applied.patch if len(path) > 1 else NO_PATCH

    def _problem(self, budget: Budget, editable: frozenset[int] | None, answered: bool) -> Problem:
        execution = self._execution
        repaired = self._repaired_here()
        if repaired is not None:
            problem = Problem(execution.model, (repaired,), budget, editable)
        else:
            problem = problem_of(
                execution.model,
                execution.path,
                execution.start,
                frozenset(execution.dropped),
                budget,
                editable,
                strict=bool(execution.tracer.uses()) or violating.strict(execution.path[-1]) or self._leak,
                oversteps=any(each.left for each in execution.tracer.overstepped().values()),
            )
        accepted, start = self._accepted_before(answered=answered), execution.start or 0
        settled = repaired is None and (problem.traces[0].bare or self._leak or self._begun_here)
        settled = settled and execution.path[start].applied.patch == accepted
        return replace(problem, accepted=accepted, settled=settled)

    def _unmet(self, problem: Problem, answer: Repairs | NoRepair) -> bool:
        """Whether the process stands at a crash to which the model does not come."""
        return self._repaired_here() is None and answers.unmet(problem, answer)

    def _mended(self, problem: Problem) -> Trace | None:
        """The execution for which the accepted edits were found."""
        here = self._found is not None and problem.accepted in (c.patch for c in self._found.candidates)
        return self._trace if here else None

    def _suffices(self, problem: Problem, mended: Trace) -> bool:
        """Whether no edits are needed but the accepted ones, without which what they `mended` is as it was.

        A stretch that the process went through with them is the process' own, whatever is edited.
        """
        model, accepted = self._execution.model, problem.accepted
        if not accepted.edits or self._repaired_here() is not None or only_input(problem.traces[0]):
            return False
        if any(trace.crash is not None for trace in problem.traces):
            return False  # that came in spite of them
        if replay(model, NO_PATCH, mended, own_control=True).met:
            return False
        return all(replay(model, accepted, each, own_control=True).met for each in problem.traces)

    def _nothing_more(self, accepted: Patch, seconds: float) -> None:
        """Tell that the repair in force is all that is needed."""
        found = self._found
        assert found is not None  # `mended` is
        index = next(i for i, each in enumerate(found.candidates) if each.patch == accepted)
        words = "the repair in force meets every assertion and forced branch; there is nothing more to repair"
        self._emit(results.Note(words))
        event = repaired(self._program, self._engine, found, index, "native", seconds, accepted)
        self._emit(event)

    def _repaired_here(self) -> Trace | None:
        """The trace that was repaired at this stop, where nothing was said since.

        The process, which the patch has led past a crash, tells of it no more.
        """
        applied = self._execution.path[-1].applied
        here = self._found is not None and applied.candidates is self._found.candidates
        return self._trace if here and self._said == self._binding() else None

    def _binding(self) -> object:
        execution = self._execution
        present = execution.path[-1]
        said = tuple(each.checkpoint for each in present.asserted)
        return len(execution.path), execution.start, said, present.changes, frozenset(execution.dropped)

    @property
    def asks(self) -> bool:
        """Whether a question awaits its answer here."""
        return self._asking.awaits

    def ask(self) -> None:
        """Ask which of the behaviours that remain is wanted, where the last repair left such a question."""
        self._asking.ask()

    def _offer(
        self, repairs: Repairs, problem: Problem, began: float, earlier: Patch, command: Repair
    ) -> list[str]:
        """Put the first candidate that passes the gate in force; why none does, where none does."""
        if repairs.candidates and not repairs.candidates[0].patch.edits:
            self._found = repairs
            self._asking.forget()
            self._reset_patch(problem)
            words = "the program as it is meets every assertion and forced branch; nothing to repair"
            if only_input(problem.traces[0]):
                line = self._execution.path[-1].stop.frames[0].line
                words += (
                    f". All that was said lies at line {line}, where the execution under repair begins, and "
                    "counts as its input: go on and assert what comes out, or go back to the caller"
                )
            self._emit(results.Note(words))
            seconds = time.perf_counter() - began
            self._emit(repaired(self._program, self._engine, repairs, 0, "native", seconds))
            return []
        reasons: list[str] = []
        present = self._execution.path[-1]
        trace = problem.traces[0]
        for index in self._order(repairs, trace):
            candidate = repairs.candidates[index]
            outcome = self._gate.apply(
                candidate.patch, trace, repairs.own_control, unrepeatable(self._execution.model, trace)
            )
            if isinstance(outcome, Passed):
                if reasons:
                    besides = f" (and {len(reasons) - 1} more)" if len(reasons) > 1 else ""
                    self._emit(results.Note(f"was to come first, but is refused: {reasons[0]}{besides}"))
                self._accepted(repairs, index, outcome, began, earlier, trace, command)
                return []
            reasons.append(f"{written(self._program, candidate.patch)}: {outcome.reason}")
            if self._execution.path[-1] is not present:
                self._execution.replace_present(present)
        return reasons

    def _order(self, repairs: Repairs, trace: Trace) -> Iterator[int]:
        """The candidates that are tried, those that use a freed node last."""
        put_off: list[int] = []
        for index, candidate in enumerate(repairs.candidates[:_OFFERED]):
            if self._uses_freed(candidate.patch, trace, repairs):
                put_off.append(index)
            else:
                yield index
        yield from put_off

    def _uses_freed(self, patch: Patch, trace: Trace, repairs: Repairs) -> bool:
        """Whether the execution under the patch uses a node after it was freed, as it does not without."""
        if trace.strict or repairs.given_up:
            return False  # no candidate does; or it is not told from what is given up
        return not replay(self._execution.model, patch, trace, repairs.own_control, strict=True).met

    def _reset_patch(self, problem: Problem) -> None:
        if self._execution.path[-1].applied.patch.edits:
            self._gate.apply(
                Patch(), problem.traces[0], False, unrepeatable(self._execution.model, problem.traces[0])
            )

    def _accepted(
        self,
        repairs: Repairs,
        index: int,
        outcome: Passed,
        began: float,
        earlier: Patch,
        trace: Trace,
        command: Repair | None = None,
        *,
        stays: bool = False,
    ) -> None:
        """Tell of the patch in force; looking for the question is a part of what `repair` takes."""
        self._found = repairs
        moment = self._execution.path[-1]
        self._found_at = moment.number
        applied = replace(moment.applied, candidates=repairs.candidates, chosen=index)
        self._execution.replace_present(replace(moment, applied=applied))
        self._trace, self._said = trace, self._binding()
        if command is not None:
            self._asking.prepare(command, trace, repairs.candidates)
        seconds = time.perf_counter() - began
        event = repaired(
            self._program,
            self._engine,
            repairs,
            index,
            outcome.how,
            seconds,
            earlier,
            accepted=command is None,
            stays=stays,
        )
        self._emit(event)
        if outcome.note:
            self._emit(
                results.Note(
                    f"the execution so far was not repeated under the patch: {outcome.note}; "
                    "what has gone wrong by now stays wrong, and `start` or `run` begins anew under it"
                )
            )
        self._tell_where(trace, outcome)
        for label, place in repairs.given_up:
            name = draw.place_text(moment.graph, place)
            self._emit(results.Note(f"{name} at {label} is disregarded"))
        best = repairs.candidates[index]
        new = Patch(tuple(edit for edit in best.patch.edits if edit not in earlier.edits))
        if self._leak and not self._leaking.kept and frees(self._program, new):
            self._emit(results.Note(f"{results.DOUBT}{_MAY_STAY}"))
        if self._uses_freed(best.patch, trace, repairs):
            self._emit(results.Note(f"{results.DOUBT}under the repair a node is used after it was freed"))
        bare, freed, program = alone(trace, self._violation), self._leak, self._execution.model
        for text in doubts(program, trace, repairs, best, len(earlier.edits), bare=bare, freed=freed):
            self._emit(results.Note(results.DOUBT + text))

    def _tell_where(self, trace: Trace, outcome: Passed) -> None:
        """A repair may lead the execution past the call that crashed: then it stands further on.

        What the program has written there that it had not written before is shown.
        """
        crash, moment = trace.crash, self._execution.path[-1]
        if not moment.stack:
            return
        function, line = moment.stack[0][0], moment.stop.frames[0].line
        if crash is not None and function != crash.position.function:
            self._emit(
                results.Note(
                    f"with the repair {crash.position.function} does not come to what crashed: the program "
                    f"went on to line {line} in {function}"
                )
            )
        if not outcome.wrote:
            return
        more = f"went on to line {line} and wrote" if crash is not None else "wrote besides"
        otherwise = "wrote this from where the execution under repair begins"
        self._emit(results.Note(f"with the repair the program {otherwise if outcome.otherwise else more}:"))
        self._execution.write(outcome.wrote)
        self._execution.replace_present(replace(moment, written=self._execution.written))

    def candidates(self, number: int | None = None) -> None:
        """List the ranked alternatives of the last repair, or show the difference that one of them makes."""
        found = self._require_found()
        if number is not None:
            candidate = numbered(found, number)
            self._emit(results.Text(frontend.diff(self._program, candidate.patch)))
            self._tell_crash(candidate)
            return
        lines = listed(self._program, found, self._execution.path[-1].applied.chosen)
        self._emit(results.Text("\n".join(lines) + "\n", prose=True))

    def _tell_crash(self, candidate: Candidate) -> None:
        """Draw the heap on which a candidate crashes, if that is none of the execution's own."""
        heap = candidate.crash_input
        if heap is None or self._trace is None or heap is self._trace.start:
            return
        given = shown(heap)
        function = given.frames[0].function if given.frames else ""
        called = f"where {function} () is called so" if function else "with this heap"
        reason = candidate.crash_reason or "it crashes"
        self._emit(self._aside(given, f"It crashes {called}: {reason}.", None))

    def accept(self, number: int) -> None:
        """Switch to another candidate, which works until the execution moves; 0 to the program as given."""
        if number == 0:
            self._withdraw()
            return
        found = self._require_found()
        candidate = numbered(found, number)
        execution = self._execution
        if execution.path[-1].number != self._found_at:
            raise CommandError(
                "the program has gone on since the repair: `back` to its stop switches candidates there, "
                "`repair` finds what fits here"
            )
        if execution.start is None:
            raise CommandError("the trace has begun anew since the repair; nothing is left to accept it for")
        dropped = frozenset(execution.dropped)
        trace = self._repaired_here() or trace_of(execution.model, execution.path, execution.start, dropped)
        began = time.perf_counter()
        before = execution.here().applied
        outcome = self._gate.apply(
            candidate.patch, trace, found.own_control, unrepeatable(self._execution.model, trace)
        )
        if not isinstance(outcome, Passed):
            raise CommandError(f"candidate {number} fails: {outcome.reason}")
        stays = (before.patch, before.chosen) == (candidate.patch, number - 1)
        self._accepted(found, number - 1, outcome, began, Patch(), trace, stays=stays)

    def _withdraw(self) -> None:
        """Take the patch out of force; the other candidates may still be accepted where that was found."""
        before = self._execution.here().applied
        if not before.patch.edits:
            raise CommandError("no patch is in force")
        self._gate.withdraw()
        moment = self._execution.path[-1]
        applied = replace(moment.applied, candidates=before.candidates, chosen=NOT_ONE)
        self._execution.replace_present(replace(moment, applied=applied))
        self._emit(
            results.Note(
                "the patch is not in force any more: from here on the program runs as it was given, in the "
                "state to which the patched one has come (`back` and `start` come to states of its own)"
            )
        )

    def localize(self, command: Localize) -> None:
        """Rank the statements by suspicion."""
        execution = self._execution
        execution.here()
        problem = problem_of(
            execution.model, execution.path, execution.start, frozenset(execution.dropped), Budget(), None
        )
        self._emit(localized(problem, command.engine, command.explain, self._interrupted))

    def _require_found(self) -> Repairs:
        applied = self._execution.path[-1].applied if self._execution.path else Applied()
        if self._found is None or applied.candidates is not self._found.candidates:
            raise CommandError("there is no repair at this stop; `repair` finds one")
        return self._found
