"""Plans: dispatches that were encoded once, found by their key and submitted repeatedly.

A dispatch with arrays of the same dtypes and shapes, the same resources on the device and the same
number of groups as one before needs nothing more than its data written and a submission. A plan
does not refer to the caller's objects, which are known by their tokens; when one of them is closed
or collected, the plans that use it are dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter, call
from typing import Any

import numpy as np

from vkrunner.binding.arguments import Argument, ArrayArgument, Place, ResidentArgument
from vkrunner.binding.registers import COUNTER_SUFFIX, find
from vkrunner.resources.buffers import Buffer, BufferView
from vkrunner.resources.samplers import Sampler
from vkrunner.resources.textures import Texture, TextureView
from vkrunner.work.backend import Backend
from vkrunner.work.context import DEFAULT_TIMEOUT_NS
from vkrunner.work.executable import Executable, Input
from vkrunner.work.groups import Indirect
from vkrunner.work.plan_cache import Plan, PlanCache, PlanKey
from vkrunner.work.result import Resident, Result, ResultLayout, is_result
from vkrunner.work.steps import DispatchStep
from vkrunner.work.submission import Submission, origin_of

_call: Callable[..., Any] = call
_token_of = attrgetter("_token")
# What is equal where nothing but the contents differ
_KEY_PARTS: dict[type, Callable[[Any], Any]] = {
    np.ndarray: attrgetter("dtype", "shape"),
    Buffer: _token_of,
    BufferView: attrgetter(*("buffer._token", "first_element", "num_elements", "stride", "format")),
    Texture: _token_of,
    TextureView: attrgetter("texture._token", "dimension", "part", "format"),
    Sampler: _token_of,
    **dict.fromkeys((type(None), dict, int, float), type),
}


def key_of(token: int, timed: bool, groups: Any, resources: Mapping[str, Any]) -> PlanKey | None:
    """The key of dispatches that differ in their data only; None for one that is not repeated.

    `token` is the kernel's.
    """
    if groups.__class__ is not int:
        if isinstance(groups, Indirect):
            groups = Indirect, _token_of(groups.buffer), groups.offset
        elif groups.__class__ not in (list, tuple) or any(type(n) is not int for n in groups):
            return None  # as 1.0 and True, which are equal to 1
        else:
            groups = tuple(groups)
    values = resources.values()
    try:
        parts = map(_call, map(_KEY_PARTS.__getitem__, map(type, values)), values)
        return token, timed, groups, *resources, *parts
    except KeyError:  # a value of another type
        return None


class DispatchPlan(Plan):
    """Dispatches of one kernel that differ in nothing but their data.

    It is made from the first: the names of arrays with the places that they are written to, and
    of what stays on the device and is in the result.
    """

    def __init__(
        self,
        cache: PlanCache,
        key: PlanKey | None,
        layout: ResultLayout,
        resources: Mapping[str, Any],
        arguments: Sequence[Argument],
    ):
        super().__init__(cache, key)
        self._layout = layout
        self._arrays: list[tuple[str, Place]] = []  # and constants
        self._residents: list[tuple[str, Place]] = []
        names = {find(layout.interface, name)[0].register: name for name in resources}
        for argument in arguments:
            shown = argument.shown
            register = shown.binding.register
            name = names.get(register) or names.get(register.removesuffix(COUNTER_SUFFIX))
            if name is None:
                continue
            if isinstance(argument, ResidentArgument):
                if is_result(shown.binding):
                    self._residents.append((name, shown.place))
            elif isinstance(argument, ArrayArgument) and register in names:
                self._arrays.append((name, shown.place))  # no counter that begins at 0

    def submit(
        self,
        backend: Backend,
        executable: Executable,
        name: str,
        resources: Mapping[str, Any],
        timeout_ns: int,
    ) -> Submission:
        """Submit a dispatch with other data; `name` is the kernel's."""
        inputs = executable.inputs[None]
        values: dict[Input, Any] = {}
        for given, place in self._arrays:
            values[inputs[place]] = resources[given]
        residents: dict[Place, Resident] = {}
        for given, place in self._residents:
            residents[place] = resources[given]
        origins = {None: (name, self._layout, residents)}
        return Submission(backend.context, self, executable, origins, values, timeout_ns)


def submit_first(
    backend: Backend,
    step: DispatchStep,
    key: PlanKey | None,
    resources: Mapping[str, Any],
    timeout_ns: int,
    *,
    timed: bool,
) -> Submission:
    """Submit a dispatch with new arguments, and keep it for repetitions where they may come."""
    context, arguments = backend.context, step.arguments
    closings = context.plans.closings
    executable = backend.encode({None: step}, timed=timed, is_recorded=False)
    if not is_repeatable(arguments):
        key = None
    origin = origin_of(step)
    plan = DispatchPlan(context.plans, key, origin[1], resources, arguments)
    plan = context.plans.keep(plan, executable, closings)
    return Submission(context, plan, executable, {None: origin}, {}, timeout_ns)


def run_once(backend: Backend, step: DispatchStep) -> Result:
    """Run a dispatch that no profile counts. Raises as `Kernel.dispatch`."""
    executable = backend.encode({None: step}, timed=False, is_recorded=True)
    origins, timeout_ns = {None: origin_of(step)}, DEFAULT_TIMEOUT_NS
    made = Submission(backend.context, None, executable, origins, {}, timeout_ns)
    return made.run(timeout_ns)


def is_repeatable(arguments: Sequence[Argument]) -> bool:
    """Whether other arrays can be put in the place of these, each by the name of its register."""
    return all(
        a.shown.binding.count == 1 and (a.is_moved if isinstance(a, ArrayArgument) else True)
        for a in arguments
    )
