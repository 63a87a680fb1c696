"""The reference machine: executes a program on the CPU by the specification, with NumPy.

It shares nothing with the translation to SPIR-V but the instruction table's rows, of which it takes
`evaluate`. It is the oracle of tests, a debugger (`trace`) and the device of last resort.
"""

from __future__ import annotations

from dataclasses import dataclass

from translate.errors import TranslateError
from translate.linkage import ClassInstances
from translate.program import Program
from translate.reference.findings import (
    OUTSIDE,
    PAST_STRIDE,
    UNALIGNED,
    UNINITIALISED,
    DivergentBarrier,
    Findings,
    Message,
    Participant,
    Race,
    Violation,
)
from translate.reference.machine import DeadlineError, Machine, Observer
from translate.reference.resources import Buffer, Resource, Resources, Sampler, Texture, Written
from translate.reference.storage import Storage
from translate.reference.trace import Step, trace
from translate.reference.values import Value

__all__ = [
    "OUTSIDE",
    "PAST_STRIDE",
    "UNALIGNED",
    "UNINITIALISED",
    "Buffer",
    "DeadlineError",
    "DivergentBarrier",
    "Findings",
    "Message",
    "Observer",
    "Outcome",
    "Participant",
    "Race",
    "Resource",
    "Resources",
    "Sampler",
    "Step",
    "Texture",
    "Value",
    "Violation",
    "Written",
    "run",
    "trace",
]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outputs and the findings of a run."""

    written: Written
    findings: Findings


def run(
    program: Program,
    resources: Resources,
    groups: tuple[int, int, int],
    *,
    class_instances: ClassInstances | None = None,
    observer: Observer | None = None,
    timeout_s: float | None = None,
    findings_limit: int | None = None,
    message_limit: int | None = None,
) -> Outcome:
    """Execute `groups` thread groups (x, y, z); the resources are not modified.

    Groups run in order, many at a time; lanes run in lockstep, and of a store or atomic the lanes
    in order. `class_instances` are those of the interfaces, as in Options. `findings_limit` is how
    many records of each kind are kept, `message_limit` how many messages. Raises UnsupportedError
    for an instruction without `evaluate`, DeadlineError after `timeout_s` seconds, TranslateError
    for a program that breaks its model's rules and for resources that do not fit it. Source: FS
    §18, §22.
    """
    if any(count < 0 for count in groups):
        raise TranslateError(f"a dispatch has 0 or more groups, not {groups}")
    findings = Findings()
    if findings_limit is not None:
        findings.limit = findings_limit
    if message_limit is not None:
        findings.message_limit = message_limit
    storage = Storage(resources)
    Machine(program, storage, class_instances or {}, findings, observer, timeout_s).dispatch(groups)
    return Outcome(storage.written(), findings)
