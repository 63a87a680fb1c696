"""Claims and their verdicts: proved, refuted with a counter-example, or unknown in time."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import z3

from .meaning import Term

LIMIT_MS = 60_000


@dataclass(frozen=True, slots=True)
class Claim:
    """`holds` for all values of its variables; `terms` makes it when it is asked for."""

    name: str
    terms: Callable[[], Iterable[Term]]


@dataclass(frozen=True, slots=True)
class Verdict:
    """`counter` is the counter-example of a refuted claim."""

    name: str
    known: bool
    counter: str = ""

    @property
    def proved(self) -> bool:
        return self.known and not self.counter


def decide(claim: Claim, limit_ms: int = LIMIT_MS) -> Verdict:
    """Prove every term of a claim, or refute the first that does not hold."""
    known = True
    for term in claim.terms():
        counter = refute(term, limit_ms)
        if counter is None:
            known = False
        elif counter:
            return Verdict(claim.name, True, counter)
    return Verdict(claim.name, known)


def refute(term: Term, limit_ms: int = LIMIT_MS) -> str | None:
    """A counter-example; "" if the term is proved; None if z3 does not decide in time."""
    solver = z3.Solver()
    solver.set("timeout", limit_ms)
    solver.add(z3.Not(term))
    answer = solver.check()
    if answer == z3.unsat:
        return ""
    return None if answer == z3.unknown else str(solver.model())


def together(terms: Iterable[Term], count: int = 8) -> Iterator[Term]:
    """The same claims in fewer terms: z3 is faster so, unless single ones are hard."""
    waiting = iter(terms)
    while some := [*itertools.islice(waiting, count)]:
        yield z3.And(*some)


def proved(claims: Iterable[Claim]) -> Iterator[Verdict]:
    return map(decide, claims)
