"""The reference machine: executes D3D programs on the CPU with NumPy, as the specification defines.

It is independent of the translation to SPIR-V, except that it uses the `evaluate` functions of the
instruction table. It is the oracle of tests, a debugger (`trace`), and the device for machines
without Vulkan.
"""

from __future__ import annotations

from translate.dataclass import dataclass
from translate.errors import OptionError
from translate.linkage import ClassInstances
from translate.program import Program, placed_errors
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
    """The outputs of a run, and its findings."""

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
    mark_limit: int | None = None,
    access_limit: int | None = None,
) -> Outcome:
    """Execute `groups` thread groups (x, y, z). The resources are not modified.

    Groups run in batches, one batch after another. The lanes of a batch run in lockstep; a store or
    atomic takes effect in the order of lanes. `class_instances` has the class instances of
    interfaces, as in Options. `findings_limit` is the maximum number of records of each kind of
    finding, `message_limit` that of messages, `mark_limit` that of loads followed to their uses,
    `access_limit` that of accesses between barriers (see `Findings`). Raises UnsupportedError for
    an instruction without `evaluate` in its row in `translate/isa`, DeadlineError after `timeout_s`
    seconds, and TranslateError for a program that breaks its shader model's rules, or for resources
    that do not fit the program. Source: FS §18, §22.
    """
    if any(count < 0 for count in groups):
        raise OptionError(f"a dispatch has 0 or more groups, not {groups}")
    findings = Findings()
    if findings_limit is not None:
        findings.limit = findings_limit
    if message_limit is not None:
        findings.message_limit = message_limit
    if mark_limit is not None:
        findings.mark_limit = mark_limit
    if access_limit is not None:
        findings.access_limit = access_limit
    storage = Storage(resources)
    with placed_errors(program):
        machine = Machine(program, storage, class_instances or {}, findings, observer, timeout_s)
        machine.dispatch(groups)
    return Outcome(storage.written(), findings)
