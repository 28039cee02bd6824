"""Fresh inputs for judging repairs: argument lists of the same kind as the known ones.

The ranking of repairs must not know these inputs: `wolverine.repair` may not import this module, which
the import contracts hold.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

_SMALL = range(-9, 30)
_MOST = 10  # words of an input


def fresh_inputs(name: str, known: Sequence[Sequence[str]], seed: int = 0) -> Iterator[tuple[str, ...]]:
    """Inputs that are not among the known ones, without end; the same ones for the same arguments.

    Each begins as a known one of which the first words (a position or key, say) are kept or changed a
    little, and the others are drawn anew: fewer or more, with repetitions, in order or not.
    """
    chance = random.Random(f"{seed} fresh inputs of {name}")
    seen = {tuple(words) for words in known}
    longest = max((len(words) for words in known), default=0)
    misses = 0
    while misses < 1000:
        made = _one(chance, known, longest)
        if made in seen:
            misses += 1
            continue
        seen.add(made)
        yield made


def _one(chance: random.Random, known: Sequence[Sequence[str]], longest: int) -> tuple[str, ...]:
    model = list(chance.choice(known)) if known else []
    size = chance.randint(0, min(max(longest + 2, 3), _MOST))
    kept = chance.choice((0, 1, 1, 2, 2))
    head = [_near(chance, word) for word in model[:kept]]
    pool = [chance.choice(_SMALL) for _ in range(max(1, chance.choice((size, size, size // 2 + 1))))]
    values = [chance.choice(pool) for _ in range(size)] if len(pool) < size else pool[:size]
    order = chance.randrange(4)
    if order < 2:
        values.sort(reverse=order == 1)
    if head and values and chance.random() < 0.4:
        head[0] = str(chance.choice(values))
    return (*head, *map(str, values))


def _near(chance: random.Random, word: str) -> str:
    try:
        number = int(word)
    except ValueError:
        return word
    return str(number + chance.choice((0, 0, 0, -1, 1)))
