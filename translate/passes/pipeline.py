"""The ordered list of passes between lowering and emission."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from itertools import zip_longest
from typing import NamedTuple

from translate.errors import TranslateError
from translate.ir.row import Stage
from translate.ir.size import largest, operations, too_large
from translate.ir.values import Module
from translate.options import Options, is_cpu
from translate.passes.array_starts import choose_array_starts
from translate.passes.bounds import guard_bounds
from translate.passes.convert_texels import convert_texels
from translate.passes.dead import remove_dead
from translate.passes.drivers.agree_on_indices import agree_on_indices
from translate.passes.drivers.carry_exits import carry_exits
from translate.passes.drivers.choose_by_comparison import choose_by_comparison
from translate.passes.drivers.enclose_cases import enclose_cases
from translate.passes.drivers.fence_by_atomics import fence_by_atomics
from translate.passes.drivers.hide_constant_places import hide_constant_places
from translate.passes.drivers.hide_signed_zeros import hide_signed_zeros
from translate.passes.drivers.hide_zeros import hide_zeros
from translate.passes.enclose_bodies import enclose_bodies
from translate.passes.flush import flush_denormals
from translate.passes.half_denormals import convert_half_denormals
from translate.passes.hoist import hoist_invariants
from translate.passes.mesa_select import workaround_mesa_select
from translate.passes.messages import write_messages
from translate.passes.policy import policy_of
from translate.passes.promote import promote_registers
from translate.passes.report import declare_report, mark_shared_writes, write_reports
from translate.passes.resume_calls import resume_calls
from translate.passes.retype import retype_merges
from translate.passes.round_conversions import round_conversions
from translate.passes.round_halves import round_halves
from translate.passes.sample_operands import limit_sample_operands
from translate.passes.scalars import scalarise_arrays
from translate.passes.select_constant_buffers import select_constant_buffers
from translate.passes.select_registers import select_registers
from translate.passes.simplify import simplify
from translate.passes.split_arrays import split_arrays
from translate.passes.windows import apply_windows
from translate.passes.zeros import resolve_zeros

LOWERED = "lowering"  # what a module comes from before any pass


class Pass(NamedTuple):
    """A step of the pipeline; `stage` is that of a module after it.

    A pass that runs again is called `remove_dead.2` and so on.
    """

    name: str
    run: Callable[[Module], None]
    stage: Stage


def run_passes(module: Module, options: Options, last: str | None = None) -> None:
    """Run the passes that a module has not been through, to the one named `last`, or all.

    Raises TranslateError where the options ask for no pass of that name, or of the name that the
    module says it comes from.
    """
    listed = passes(options)
    names = [LOWERED, *(one.name for one in listed)]
    for name in (module.after or LOWERED, last or LOWERED):
        if name not in names:
            there = ", ".join(names)
            raise TranslateError(f"no pass is called {name}; with these options there are {there}")
    first = names.index(module.after or LOWERED)
    end = len(listed) if last is None else names.index(last)
    if end < first:
        raise TranslateError(f"{last} runs before {module.after}, which has run")
    for one, following in zip_longest(listed[first:end], listed[first + 1 : end]):
        one.run(module)
        module.after = one.name
        if following is None or following.stage is not one.stage:
            _check_size(module, options.max_instructions)  # no pass of a stage multiplies another's


def _check_size(module: Module, most: int | None) -> None:
    if most is None:
        return
    total = operations(module)
    if total > most:
        raise too_large(f"{total} operations", "max_instructions", most, *largest(module))


def passes(options: Options) -> tuple[Pass, ...]:
    """The passes that an option set asks for, in order."""
    results_flushed = "denorm_flush_to_zero_32" in options.float_controls
    early = is_cpu(options.float_controls)
    flush = partial(flush_denormals, results_flushed=results_flushed, early_uses=early)
    resume = partial(resume_calls, most_inlined=options.max_inlined)
    most = options.max_instructions
    promote = partial(promote_registers, most_merged=most)
    rounds_itself = "rounding_mode_rte_32" in options.float_controls
    keeps_halves = "denorm_preserve_16" in options.float_controls
    policy = policy_of(options)
    lowered, promoted, guarded = Stage.LOWERED, Stage.PROMOTED, Stage.GUARDED
    listed: tuple[tuple[bool, Callable[[Module], None], Stage], ...] = (
        (options.optimize, scalarise_arrays, lowered),  # makes registers
        (True, resume, lowered),  # makes some too
        (True, promote, promoted),  # all that follow work on values
        (True, remove_dead, promoted),  # unused merges would vote in `retype_merges`
        (True, retype_merges, promoted),  # before the guards, which add values of known types
        (True, convert_texels, promoted),  # before the flushes: it adds what is exact anyway
        (options.denormals == "d3d", flush, promoted),  # once types say which values are floats
        # both after the flushes: a denormal float becomes a half that is 0 without one, and what a
        # half becomes is known to be none; and before the rounding
        (True, partial(round_halves, float_controls=options.float_controls), promoted),
        (not keeps_halves, convert_half_denormals, promoted),
        (not rounds_itself, round_conversions, promoted),
        (True, resolve_zeros, promoted),  # after the flushes: a denormal is a zero by now
        (options.sampling == "d3d", limit_sample_operands, promoted),  # its sums need no flush
        # what is done once for all registers is done by now
        (True, partial(select_registers, most=most), promoted),
        (policy.reports, declare_report, promoted),
        (policy.reports, mark_shared_writes, promoted),
        # before `simplify`, which shares equal checks
        (True, partial(guard_bounds, policy=policy), guarded),
        # before `simplify`, which shares equal loads
        (True, partial(select_constant_buffers, most=most), guarded),
        (True, write_reports, Stage.REPORTED),  # its own accesses need no guards
        (True, write_messages, Stage.REPORTED),  # nor do these
        (True, apply_windows, Stage.WINDOWED),  # moves accesses that are in bounds
        # before `simplify`, which may drop a guard because of the branch that it stands in
        (options.optimize, partial(hoist_invariants, guarded=policy.checks), Stage.WINDOWED),
        (options.optimize, simplify, Stage.WINDOWED),
        (options.optimize, remove_dead, Stage.WINDOWED),
        (True, split_arrays, Stage.WINDOWED),  # once dead accesses are gone
        (True, choose_array_starts, Stage.WINDOWED),  # of the parts too
        (True, partial(carry_exits, workarounds=options.workarounds), Stage.WINDOWED),
        ("memory_barriers" in options.workarounds, fence_by_atomics, Stage.WINDOWED),
        (True, enclose_bodies, Stage.WINDOWED),  # of what the guards and subroutines became
        # counts what the pass before left nested
        (True, partial(enclose_cases, workarounds=options.workarounds), Stage.WINDOWED),
        ("constant_min_max" in options.workarounds, choose_by_comparison, Stage.WINDOWED),
        ("fourth_constant_buffer" in options.workarounds, hide_constant_places, Stage.WINDOWED),
        # of all that became constants, and is merged
        ("float_zeros" in options.workarounds, hide_zeros, Stage.WINDOWED),
        ("select_signed_zero" in options.workarounds, hide_signed_zeros, Stage.WINDOWED),
        # once accesses are in the branches where they stay
        (True, partial(agree_on_indices, workarounds=options.workarounds), Stage.WINDOWED),
        (True, workaround_mesa_select, Stage.WINDOWED),  # last: `simplify` would undo it
    )
    return _named((run, stage) for wanted, run, stage in listed if wanted)


def _named(found: Iterable[tuple[Callable[[Module], None], Stage]]) -> tuple[Pass, ...]:
    """Number the passes that run more than once."""
    named: dict[str, Pass] = {}
    for run, stage in found:
        function = run.func if isinstance(run, partial) else run
        name, count = function.__name__, 1
        while name in named:
            count += 1
            name = f"{function.__name__}.{count}"
        named[name] = Pass(name, run, stage)
    return tuple(named.values())
