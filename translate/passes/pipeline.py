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
from translate.passes.drivers.arrays import choose_array_starts, split_arrays
from translate.passes.drivers.constant_min_max import choose_by_comparison
from translate.passes.drivers.deep_conditions import enclose_cases
from translate.passes.drivers.descriptors_in_loops import use_descriptors_first
from translate.passes.drivers.float_zeros import ZERO_FAULTS, hide_zeros, resolve_zeros
from translate.passes.drivers.fourth_constant_buffer import hide_constant_places
from translate.passes.drivers.long_bodies import enclose_bodies
from translate.passes.drivers.loop_values import carry_exits
from translate.passes.drivers.memory_barriers import fence_by_atomics
from translate.passes.drivers.range_index_in_branch import agree_on_indices
from translate.passes.drivers.select_signed_zero import choose_in_bits, hide_signed_zeros
from translate.passes.floats.convert_numbers import convert_numbers
from translate.passes.floats.convert_texels import convert_texels
from translate.passes.floats.flush import flush_denormals
from translate.passes.floats.sample_operands import limit_sample_operands
from translate.passes.guards.bounds import guard_bounds
from translate.passes.guards.messages import write_messages
from translate.passes.guards.noted import guard_bounds_noted
from translate.passes.guards.report import declare_report, mark_shared_writes, write_reports
from translate.passes.guards.rules import POLICIES
from translate.passes.guards.windows import apply_windows
from translate.passes.hoist import hoist_invariants
from translate.passes.registers.promote import promote_registers
from translate.passes.registers.resume_calls import resume_calls
from translate.passes.registers.retype import retype_merges
from translate.passes.registers.scalars import scalarise_arrays
from translate.passes.registers.select_constant_buffers import select_constant_buffers
from translate.passes.registers.select_registers import select_ranges, select_registers
from translate.passes.rewrite import Findings
from translate.passes.simplify import simplify, simplify_noted
from translate.target_device import device_of

LOWERED = "lowering"  # the step before the first pass
Function = Callable[[Module], Findings | None]


class Pass(NamedTuple):
    """A step of the pipeline; `stage` is that of a module after it.

    If a pass runs twice, the second step's name ends with ".2": `remove_dead.2`.
    """

    name: str
    function: Function
    stage: Stage

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
        if following is None or following.stage is not one.stage:
            _check_size(module, options.max_instructions)  # within a stage sizes only add up


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
    listed: tuple[tuple[bool, Function, Stage], ...] = (
        (options.optimize, scalarise_arrays, lowered),  # gives registers
        (True, resume, lowered),  # gives registers too
        (True, promote, promoted),  # all following passes work on values
        (True, remove_dead, promoted),  # unused merged values would vote in `retype_merges`
        (True, retype_merges, promoted),  # before the guards, whose values have known types
        (True, convert_texels, promoted),  # before the flushes: its arithmetic is exact
        # after `retype_merges`, which tells floats from integers
        (options.denormals == "d3d", partial(flush_denormals, flush=device.flush), promoted),
        # after the flushes: a denormal float becomes the half 0 without a flush, and a float from a
        # half is known to be no denormal
        (True, partial(convert_numbers, float_modes=device.float_modes), promoted),
        (True, resolve_zeros, promoted),  # after the flushes: denormals are zeros now
        (
            options.sampling == "d3d" and policy.checks,
            partial(limit_sample_operands, exact=options.exact_samples),
            promoted,
        ),  # its sums need no flushes
        # after the passes that need not run for each register
        (True, partial(select_registers, most=most), promoted),
        (
            bool(options.missing_indexing),
            partial(select_ranges, missing=options.missing_indexing, most=most),
            promoted,
        ),
        (policy.reports, declare_report, promoted),
        (policy.reports, mark_shared_writes, promoted),
        # before `simplify`, which shares equal checks
        (True, guard, guarded),
        # before `simplify`, which shares equal loads
        (True, partial(select_constant_buffers, most=most), guarded),
        (True, write_reports, Stage.REPORTED),  # its accesses need no guards
        (True, write_messages, Stage.REPORTED),  # its accesses need no guards
        (True, apply_windows, Stage.WINDOWED),  # once accesses are in bounds
        # before `simplify`, which may drop a guard inside of an equal one
        (options.optimize, partial(hoist_invariants, guarded=policy.checks), Stage.WINDOWED),
        (options.optimize, simplify_noted if noted else simplify, Stage.WINDOWED),
        (options.optimize, remove_dead, Stage.WINDOWED),
        (True, split_arrays, Stage.WINDOWED),  # once dead accesses are removed
        (True, choose_array_starts, Stage.WINDOWED),  # also for the parts of arrays
        (True, partial(carry_exits, faults=device.faults), Stage.WINDOWED),
        ("memory_barriers" in device.faults, fence_by_atomics, Stage.WINDOWED),
        (True, enclose_bodies, Stage.WINDOWED),  # after guards and subroutines became constructs
        # after `enclose_bodies`, which reduces the depth
        (True, partial(enclose_cases, faults=device.faults), Stage.WINDOWED),
        ("constant_min_max" in device.faults, choose_by_comparison, Stage.WINDOWED),
        ("fourth_constant_buffer" in device.faults, hide_constant_places, Stage.WINDOWED),
        # once folding has found its constants
        (
            not ZERO_FAULTS.keys().isdisjoint(device.faults),
            partial(hide_zeros, faults=device.faults),
            Stage.WINDOWED,
        ),
        ("select_signed_zero" in device.faults, hide_signed_zeros, Stage.WINDOWED),
        ("descriptors_in_loops" in device.faults, use_descriptors_first, Stage.WINDOWED),
        # once accesses are in their final branches
        (True, partial(agree_on_indices, faults=device.faults), Stage.WINDOWED),
        (True, choose_in_bits, Stage.WINDOWED),  # last, because `simplify` would undo it
    )
    return _named((run, stage) for wanted, run, stage in listed if wanted)


def _named(found: Iterable[tuple[Function, Stage]]) -> tuple[Pass, ...]:
    """Passes named after their functions; a name that occurs again gets a number."""
    named: dict[str, Pass] = {}
    for run, stage in found:
        function = run.func if isinstance(run, partial) else run
        name, count = function.__name__, 1
        while name in named:
            count += 1
            name = f"{function.__name__}.{count}"
        named[name] = Pass(name, run, stage)
    return tuple(named.values())
