"""Plans: dispatches that were recorded once, found again by what is passed and submitted anew.

A dispatch with arrays of the same dtypes and shapes, the same resources on the device and the same
number of groups as one before needs nothing more than its data written and a submission. A plan
does not refer to the caller's objects, which are known by their tokens; when one of them is closed
or collected, the plans that use it are dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from typing import Any

import numpy as np

from vkrunner.binding.arguments import Argument, ArrayArgument, NullArgument, Place
from vkrunner.binding.registers import COUNTER_SUFFIX, find
from vkrunner.resources.buffers import Buffer, BufferView
from vkrunner.resources.samplers import Sampler
from vkrunner.resources.textures import Texture, TextureView
from vkrunner.work.backend import Backend, Executable, Input
from vkrunner.work.groups import Indirect
from vkrunner.work.plan_cache import Plan, PlanKey
from vkrunner.work.result import Resident, ResultLayout, is_result

_token_of = attrgetter("_token")
# What is equal where nothing but the contents differ
_KEY_PARTS: dict[type, Callable[[Any], Any]] = {
    np.ndarray: attrgetter("dtype", "shape"),
    Buffer: _token_of,
    BufferView: attrgetter(*("buffer._token", "first_element", "num_elements", "stride", "format")),
    Texture: _token_of,
    TextureView: attrgetter("texture._token", "dimension", "part", "format"),
    Sampler: _token_of,
    type(None): lambda nothing: nothing,
    dict: lambda constants: dict,
    int: lambda constant: int,
    float: lambda constant: float,
}


def key_of(token: int, timed: bool, groups: Any, resources: Mapping[str, Any]) -> PlanKey | None:
    """The key of dispatches that differ in their data only; None for one that is not repeated.

    `token` is the kernel's.
    """
    if isinstance(groups, Indirect):
        where = _token_of(groups.buffer), groups.offset
        return _with_parts([token, timed, *where], resources)
    if groups.__class__ is list:
        groups = tuple(groups)
    for number in groups if groups.__class__ is tuple else (groups,):
        if type(number) is not int:  # 1.0 and True are equal to 1
            return None
    return _with_parts([token, timed, groups], resources)


def _with_parts(parts: list[Any], resources: Mapping[str, Any]) -> PlanKey | None:
    for name, value in resources.items():
        part = _KEY_PARTS.get(value.__class__)
        if part is None:
            return None
        parts += (name, part(value))
    return tuple(parts)


class DispatchPlan(Plan[Executable]):
    """Dispatches of one kernel that differ in nothing but their data.

    It is made from the first: the names of arrays with the places that they are written to, and
    of what stays on the device and is in the result.
    """

    def __init__(
        self,
        backend: Backend,
        layout: ResultLayout,
        resources: Mapping[str, Any],
        arguments: Sequence[Argument],
    ):
        super().__init__()
        self._backend = backend
        self.layout = layout
        self._arrays: list[tuple[str, Place]] = []  # and constants
        self._residents: list[tuple[str, Place]] = []
        names = {find(layout.interface, name)[0].register: name for name in resources}
        for argument in arguments:
            register = argument.binding.register
            name = names.get(register) or names.get(register.removesuffix(COUNTER_SUFFIX))
            if name is None or isinstance(argument, NullArgument):
                continue
            if not isinstance(argument, ArrayArgument):
                if is_result(argument.binding):
                    self._residents.append((name, argument.place))
            elif register in names:  # else a counter that begins at 0
                self._arrays.append((name, argument.place))

    def repeat(
        self, executable: Executable, resources: Mapping[str, Any], timeout_ns: int
    ) -> dict[Place, Resident]:
        """Submit an executable of this plan with new data; the residents of its result."""
        inputs = executable.inputs[None]
        values: dict[Input, Any] = {}
        for name, place in self._arrays:
            values[inputs[place]] = resources[name]
        executable.start(values, timeout_ns)
        residents: dict[Place, Resident] = {}
        for name, place in self._residents:
            residents[place] = resources[name]
        return residents

    def give_back(self, executable: Executable) -> None:
        self._backend.plans.give(self, executable)


def is_repeatable(arguments: Sequence[Argument]) -> bool:
    """Whether other arrays can be put in the place of these, each by the name of its register."""
    return all(
        a.binding.count == 1 and (a.is_moved if isinstance(a, ArrayArgument) else True)
        for a in arguments
    )
