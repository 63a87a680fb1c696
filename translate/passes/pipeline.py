"""The ordered list of passes between lowering and emission."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from itertools import zip_longest
from typing import NamedTuple

from translate.errors import OptionError
from translate.ir.row import Stage
from translate.ir.size import largest, operations, too_large
from translate.ir.values import Module
from translate.options import Options
from translate.passes.dead import remove_dead
from translate.passes.drivers.float_zeros import ZERO_FAULTS, hide_zeros, resolve_zeros
from translate.passes.drivers.hidden import hide_constant_places, use_descriptors_first
from translate.passes.drivers.loops import carry_exits
from translate.passes.drivers.nesting import enclose_bodies, enclose_cases
from translate.passes.drivers.range_index import agree_on_indices
from translate.passes.drivers.replaced import (
    choose_by_comparison,
    choose_float_limits,
    fence_by_atomics,
)
from translate.passes.drivers.select_signed_zero import choose_in_bits, hide_signed_zeros
from translate.passes.floats.conversions import convert_numbers, convert_texels
from translate.passes.floats.flush import flush_denormals
from translate.passes.floats.sample_operands import limit_sample_operands
from translate.passes.guards.addresses import apply_windows
from translate.passes.guards.bounds import guard_bounds
from translate.passes.guards.explained import guard_bounds_noted
from translate.passes.guards.messages import write_messages
from translate.passes.guards.report import declare_report, mark_shared_writes, write_reports
from translate.passes.guards.rules import POLICIES
from translate.passes.hoist import hoist_invariants
from translate.passes.registers.arrays import choose_array_starts, scalarise_arrays, split_arrays
from translate.passes.registers.promote import promote_registers
from translate.passes.registers.resume_calls import resume_calls
from translate.passes.registers.retype import retype_merges
from translate.passes.registers.select_registers import (
    select_constant_buffers,
    select_push_constants,
    select_ranges,
    select_registers,
)
from translate.passes.rewrite import Findings
from translate.passes.simplify import simplify, simplify_noted
from translate.target_device import device_of

LOWERED = "lowering"  # the step before the first pass
Function = Callable[[Module], Findings | None]
# Stages at whose end the size is checked: within a stage sizes only add up, lowering and
# `resume_calls` have limits of their own, and reports are a few operations for each guard
_GROWN = (Stage.PROMOTED, Stage.REPORTED, Stage.WINDOWED)


class Pass(NamedTuple):
    """A step of the pipeline; `stage` is that of a module after it.

    It comes after the passes that `after` names, if these run. If a pass runs twice, the second
    step's name ends with ".2": `remove_dead.2`.
    """

    name: str
    function: Function
    stage: Stage
    after: tuple[str, ...] = ()

    def run(self, module: Module) -> None:
        """Rewrite a module, and keep the findings in it."""
        found = self.function(module)
        if found is not None:
            found.note_in(module)


def run_passes(
    module: Module, options: Options, last: str | None = None, *, noted: bool = False
) -> None:
    """Run the passes after the module's latest one (`Module.after`), up to `last` or to the end.

    With `noted`, the module gets its `guards`, with the reasons why each stays or goes.

    Raises TranslateError if the options select no pass named `last`, or none named as the module's
    latest one.
    """
    listed = passes(options, noted=noted)
    names = [LOWERED, *(one.name for one in listed)]
    for name in (module.after or LOWERED, last or LOWERED):
        if name not in names:
            there = ", ".join(names)
            raise OptionError(f"no pass is called {name}; with these options there are {there}")
    first = names.index(module.after or LOWERED)
    end = len(listed) if last is None else names.index(last)
    if end < first:
        raise OptionError(f"{last} runs before {module.after}, which has run")
    for one, following in zip_longest(listed[first:end], listed[first + 1 : end]):
        one.run(module)
        module.after = one.name
        if following is None or (one.stage in _GROWN and following.stage is not one.stage):
            _check_size(module, options.max_instructions)


def _check_size(module: Module, most: int | None) -> None:
    if most is None:
        return
    total = operations(module)
    if total > most:
        raise too_large(f"{total} operations", "max_instructions", most, *largest(module))


def passes(options: Options, *, noted: bool = False) -> tuple[Pass, ...]:
    """The passes that options select, in order; with `noted`, guards are recorded with reasons."""
    device = device_of(options)
    resume = partial(resume_calls, most_inlined=options.max_inlined)
    most = options.max_instructions
    promote = partial(promote_registers, most_merged=most)
    policy = POLICIES[options.guards]
    guarding = guard_bounds_noted if noted else guard_bounds
    guard = partial(guarding, policy=policy, robustness=device.robustness)
    lowered, promoted, guarded = Stage.LOWERED, Stage.PROMOTED, Stage.GUARDED
    reported, windowed = Stage.REPORTED, Stage.WINDOWED
    listed = (
        _Step(scalarise_arrays, lowered, when=options.optimize),  # gives registers
        _Step(resume, lowered),  # gives registers too
        _Step(promote, promoted, after="scalarise_arrays resume_calls"),
        # Unused merged values would vote for a type
        _Step(remove_dead, promoted, after="promote_registers"),
        _Step(retype_merges, promoted, after="remove_dead"),
        _Step(convert_texels, promoted),
        # Merged values are floats or integers now; the arithmetic of `convert_texels` is exact
        _Step(
            partial(flush_denormals, flush=device.flush, specialized=device.specialized), promoted,
            when=options.denormals == "d3d", after="retype_merges convert_texels",
        ),
        # A denormal float becomes the half 0 without a flush, and a float from a half is known to
        # be no denormal
        _Step(
            partial(
                convert_numbers, float_modes=device.float_modes,
                exact=device.exact, specialized=device.specialized,
            ), promoted,
            after="flush_denormals",
        ),
        _Step(resolve_zeros, promoted, after="flush_denormals"),  # denormals are zeros now
        # Its sums need no flushes
        _Step(
            partial(
                limit_sample_operands,
                exact=options.exact_samples, specialized=device.specialized,
            ), promoted,
            when=options.sampling == "d3d" and policy.checks, after="flush_denormals",
        ),
        # The passes before it need not run for each register
        _Step(
            partial(select_registers, most=most), promoted,
            after="flush_denormals convert_numbers limit_sample_operands",
        ),
        _Step(
            partial(select_ranges, missing=options.missing_indexing, most=most), promoted,
            when=bool(options.missing_indexing), after="select_registers",
        ),
        _Step(declare_report, promoted, when=policy.reports),
        _Step(mark_shared_writes, promoted, when=policy.reports, after="declare_report"),
        # The types of its values are known
        _Step(guard, guarded, after="retype_merges select_registers mark_shared_writes"),
        _Step(partial(select_constant_buffers, most=most), guarded, after="guard_bounds"),
        _Step(
            partial(select_push_constants, most=most), guarded,
            after="guard_bounds select_constant_buffers",
        ),
        # The accesses of these two need no guards
        _Step(write_reports, reported, after="guard_bounds"),
        _Step(write_messages, reported, after="guard_bounds"),
        _Step(apply_windows, windowed, after="guard_bounds"),  # accesses are in bounds
        _Step(
            partial(hoist_invariants, guarded=policy.checks), windowed,
            when=options.optimize, after="guard_bounds",
        ),
        # It shares equal checks and loads; it may drop a guard inside of an equal one, which
        # `hoist_invariants` needs
        _Step(
            simplify_noted if noted else simplify, windowed,
            when=options.optimize, after="guard_bounds select_constant_buffers hoist_invariants",
        ),
        _Step(remove_dead, windowed, when=options.optimize, after="simplify"),
        _Step(split_arrays, windowed, after="remove_dead.2"),  # dead accesses are removed
        _Step(choose_array_starts, windowed, after="split_arrays"),  # for the parts of arrays too
        _Step(partial(carry_exits, faults=device.faults), windowed),
        _Step(fence_by_atomics, windowed, when="memory_barriers" in device.faults),
        # Guards and subroutines are constructs now
        _Step(
            partial(enclose_bodies, faults=device.faults), windowed,
            after="guard_bounds resume_calls",
        ),
        # `enclose_bodies` reduces the depth
        _Step(partial(enclose_cases, faults=device.faults), windowed, after="enclose_bodies"),
        _Step(choose_by_comparison, windowed, when="constant_min_max" in device.faults),
        # Ranges of folded values are known best; a flush that a host may turn off is none
        _Step(
            choose_float_limits, windowed,
            when="slow_min_max" in device.faults and not device.specialized,
            after="flush_denormals simplify",
        ),
        _Step(hide_constant_places, windowed, when="fourth_constant_buffer" in device.faults),
        # Folding has found its constants
        _Step(
            partial(hide_zeros, faults=device.faults), windowed,
            when=not ZERO_FAULTS.keys().isdisjoint(device.faults), after="simplify",
        ),
        _Step(
            hide_signed_zeros, windowed,
            when="select_signed_zero" in device.faults, after="simplify",
        ),
        _Step(use_descriptors_first, windowed, when="descriptors_in_loops" in device.faults),
        # Accesses are in their final branches
        _Step(
            partial(agree_on_indices, faults=device.faults), windowed,
            after="carry_exits enclose_bodies enclose_cases",
        ),
        _Step(choose_in_bits, windowed, after="simplify"),  # which would undo it
    )  # fmt: skip
    return _named(step for step in listed if step.when)


class _Step(NamedTuple):
    """A row of the pipeline; `after` names passes, with blanks between."""

    function: Function
    stage: Stage
    when: bool = True
    after: str = ""


def _named(steps: Iterable[_Step]) -> tuple[Pass, ...]:
    """Passes named after their functions; a name that occurs again gets a number."""
    named: dict[str, Pass] = {}
    for step in steps:
        run = step.function
        function = run.func if isinstance(run, partial) else run
        name, count = function.__name__, 1
        while name in named:
            count += 1
            name = f"{function.__name__}.{count}"
        named[name] = Pass(name, run, step.stage, tuple(step.after.split()))
    return tuple(named.values())
