"""Claims and their verdicts: proved, refuted with a counter-example, or unknown in time."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import z3

from .meaning import Term

LIMIT_MS = 90_000  # of CPU time for a term
HARD_MS = 10_000  # for a term that is hardly ever decided
_MOST_OF = 0.8  # of the limit, which is used up then
_MOST_MORE = 20  # times the time on the clock
_ATTEMPTS = 2


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
    """A counter-example; "" if the term is proved; None if z3 does not decide in time.

    z3 is fast or slow by chance, so it tries again from other seeds. The limit is CPU time, so that
    the answer does not depend on the load of the machine.
    """
    for seed in range(_ATTEMPTS):
        found = _attempt(term, limit_ms // _ATTEMPTS, seed)
        if found is not None:
            return found
    return None


def _attempt(term: Term, limit_ms: int, seed: int) -> str | None:
    """`refute` from a seed, alike after whatever proofs of other terms.

    z3 counts the time on the clock, and gets more of it while it has used less.
    """
    context = z3.Context()
    negated = z3.Not(term).translate(context)
    clock_ms = limit_ms
    while True:
        solver = z3.Solver(ctx=context)
        solver.set("timeout", clock_ms)
        solver.set("random_seed", seed)
        solver.add(negated)
        started = time.process_time()
        answer = solver.check()
        used_ms = 1000 * (time.process_time() - started)
        if answer != z3.unknown or used_ms > _MOST_OF * limit_ms:
            break
        if solver.reason_unknown() not in ("timeout", "canceled"):
            break
        clock_ms = int(clock_ms * min(limit_ms / max(used_ms, 1), _MOST_MORE))
    if answer == z3.unsat:
        return ""
    return None if answer == z3.unknown else str(solver.model())


def together(terms: Iterable[Term], count: int = 8) -> Iterator[Term]:
    """The same claims in fewer terms: z3 is faster so, unless single ones are hard."""
    waiting = iter(terms)
    while some := [*itertools.islice(waiting, count)]:
        yield z3.And(*some)


def prove(claim: Claim) -> None:
    """Raise AssertionError for a claim that is not proved."""
    verdict = decide(claim)
    assert verdict.proved, f"{claim.name}: {verdict.counter or 'z3 does not decide in time'}"
