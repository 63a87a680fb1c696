"""Dispatcher: turns the arguments of a dispatch into a submission, by plans that are used again.

Two dispatches are equal if they have the same kernel, number of groups and resources on the device,
and arrays of the same dtypes and shapes. The second one only writes its data and submits. A plan
refers to the caller's objects by tokens; when an object is closed or collected, the plans that use
it are dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter, call, index
from typing import Any, cast

import numpy as np

from translate import ShaderInterface
from translate.interface import CONSTANT_BUFFER
from vkrunner.binding.arguments import (
    Argument,
    ArrayArgument,
    Place,
    ResidentArgument,
    check_overlaps,
)
from vkrunner.binding.making import make_arguments
from vkrunner.binding.registers import (
    COUNTER_SUFFIX,
    Key,
    bound_by_callers,
    elements_of,
    find,
    look_up,
    register_of,
)
from vkrunner.dispatch.context import DEFAULT_TIMEOUT_NS, Backend
from vkrunner.dispatch.executable import Executable, Input, Plan, PlanCache, PlanKey
from vkrunner.dispatch.groups import Indirect, check_groups
from vkrunner.dispatch.result import Resident, Result, ResultLayout, is_result
from vkrunner.dispatch.steps import DispatchStep
from vkrunner.dispatch.submission import Submission, origin_of
from vkrunner.errors import ArgumentError, InvalidValueError, WrongTypeError
from vkrunner.info.device_info import Tried
from vkrunner.report.messages import DEFAULT_CAPACITY
from vkrunner.report.page import ExplainedKernel
from vkrunner.resources.buffers import Buffer, BufferView
from vkrunner.resources.device_objects import DeviceChild, DevicePipeline, Sampler, object_of
from vkrunner.resources.textures import Texture, TextureView
from vkrunner.shader.shader import Shader, Source
from vkrunner.values.formats import format_of_name
from vkrunner.values.numbers import BYTES_LIKE, as_array, is_integer

_call: Callable[..., Any] = call
_token_of = attrgetter("_token")
# The properties of an array that its data does not change
_KEY_PARTS: dict[type, Callable[[Any], Any]] = {
    np.ndarray: attrgetter("dtype", "shape"),
    Buffer: _token_of,
    BufferView: attrgetter(*("buffer._token", "first_element", "num_elements", "stride", "format")),
    Texture: _token_of,
    TextureView: attrgetter("texture._token", "dimension", "part", "format"),
    Sampler: _token_of,
    **dict.fromkeys((type(None), dict, int, float), type),
    **dict.fromkeys((bytes, bytearray), lambda data: (type(data), len(data))),
    memoryview: lambda data: (memoryview, data.nbytes),
}


def key_of(token: int, timed: bool, groups: Any, resources: Mapping[Any, Any]) -> PlanKey | None:
    """A key that is equal for dispatches that differ only in their data.

    None if no plan is kept for values or groups of such types. `token` names the kernel.
    """
    if groups.__class__ is not int:
        groups = _key_of_groups(groups)
        if groups is None:
            return None
    values = resources.values()
    try:
        parts = map(_call, map(_KEY_PARTS.__getitem__, map(type, values)), values)
        return token, timed, groups, *resources, *parts
    except KeyError:  # a value of another type
        return None


def _key_of_groups(groups: Any) -> Any:
    """The part of a key for the groups; None for groups that are not integers."""
    if isinstance(groups, Indirect):
        return Indirect, _token_of(groups.buffer), groups.offset
    several = isinstance(groups, (list, tuple))
    numbers = tuple(cast("Sequence[Any]", groups)) if several else (groups,)
    if not all(map(is_integer, numbers)):
        return None  # 1.0 and True would be found as 1
    return tuple(map(index, numbers)) if several else index(groups)


class DispatchPlan(Plan):
    """The plan of dispatches of one kernel that differ only in their data.

    It is made from the first of them, and stores the names and places of two kinds of arguments:
    arrays to write, and resources on the device that are in the result.
    """

    def __init__(
        self,
        cache: PlanCache,
        key: PlanKey | None,
        layout: ResultLayout,
        resources: Mapping[Any, Any],
        arguments: Sequence[Argument],
    ):
        super().__init__(cache, key)
        self._layout = layout
        self._arrays: list[tuple[Key, Place]] = []  # constants too
        self._bytes: list[tuple[Key, Place]] = []
        self._residents: list[tuple[Key, Place]] = []
        repeated = resources if key is not None else ()
        names = {find(layout.interface, name)[0].register: name for name in repeated}
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
                # A counter of 0 by default has no name.
                is_bytes = isinstance(resources[name], BYTES_LIKE)
                is_array = is_bytes and shown.binding.kind != CONSTANT_BUFFER
                (self._bytes if is_array else self._arrays).append((name, shown.place))

    def submit(
        self,
        backend: Backend,
        executable: Executable,
        name: str,
        resources: Mapping[Any, Any],
        timeout_ns: int,
    ) -> Submission:
        """Submit `executable` with the data in `resources`; `name` is the kernel's name."""
        inputs = executable.inputs[None]
        values: dict[Input, Any] = {}
        for given, place in self._arrays:
            values[inputs[place]] = resources[given]
        for given, place in self._bytes:
            values[inputs[place]] = as_array(resources[given], "")
        residents: dict[Place, Resident] = {}
        for given, place in self._residents:
            residents[place] = resources[given]
        origins = {None: (name, self._layout, residents)}
        return Submission(backend.context, self, executable, origins, values, timeout_ns)


def submit_first(
    backend: Backend,
    step: DispatchStep,
    key: PlanKey | None,
    resources: Mapping[Any, Any],
    timeout_ns: int,
    *,
    timed: bool,
) -> Submission:
    """Encode and submit a dispatch, and keep its plan under `key` if it can be repeated."""
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
    """Whether a later dispatch can be made from this one by writing its arrays.

    Not with arrays of resources, nor with an array that is uploaded only once.
    """
    return all(
        a.shown.binding.count == 1 and (a.is_moved if isinstance(a, ArrayArgument) else True)
        for a in arguments
    )


class Dispatcher(DeviceChild[DevicePipeline]):
    """A shader on a device; Kernel adds the public methods."""

    _noun = "kernel"

    def __init__(
        self,
        backend: Backend,
        source: Source,
        options: Mapping[str, Any],
        message_capacity: int = DEFAULT_CAPACITY,
        tried: Tried | None = None,
    ):
        self._backend = backend
        self._message_capacity = _checked_capacity(message_capacity)
        self._shader = source if isinstance(source, Shader) else Shader(source)
        self.name = self._shader.name
        tried = tried or Tried()
        made = backend.make_pipeline(self._shader, options, tried)
        super().__init__(backend, made)
        self._explained = ExplainedKernel(self._shader, made.options, tried.faults)
        self.interface: ShaderInterface = bound_by_callers(made.interface)
        self._whole: ShaderInterface = made.interface
        formats: Mapping[str, str | Sequence[str]] = options.get("formats") or {}
        self._formats = {register_of(made.interface, key): one for key, one in formats.items()}
        for names in self._formats.values():
            for name in [names] if isinstance(names, str) else names:
                format_of_name(name)  # arrays cannot have all formats of Options

    def _submit(
        self,
        groups: int | Sequence[int] | Indirect,
        resources: Mapping[Any, Any],
        timeout_ns: int,
    ) -> Submission:
        """Submit a dispatch; reuse an idle executable of an equal dispatch if one exists."""
        backend, token = self._backend, self._token
        context = backend.context
        if not token:
            object_of(self)
        context.check_alive("kernel")  # a submission checks whether the queue can be used
        timed = context.times_dispatches or bool(context.on_dispatch)
        key = key_of(token, timed, groups, resources)
        plan = context.plans.by_key.get(key) if key is not None else None
        if isinstance(plan, DispatchPlan):
            executable = context.plans.take(plan)
            if executable is not None:
                return plan.submit(backend, executable, self.name, resources, timeout_ns)
        step = self._step(groups, resources)
        return submit_first(backend, step, key, resources, timeout_ns, timed=timed)

    def _step(
        self,
        groups: int | Sequence[int] | Indirect,
        resources: Mapping[Any, Any],
    ) -> DispatchStep:
        """Check the arguments of a dispatch. Raises ArgumentError or LimitError."""
        object_of(self)
        info, sizes = self._backend.context.info, groups
        if not isinstance(sizes, Indirect):
            sizes = check_groups(info, sizes)
        try:
            arguments = make_arguments(self.interface, resources, self._formats, info.limits)
        except ArgumentError as error:
            removed = ", ".join(self._removed(resources))
            if not removed:
                _check_no_results(resources)
                raise
            reason = f"the compiler removed {removed}, because nothing uses it"
            raise type(error)(f"{error}; {reason}") from None
        residents = [a for a in arguments if isinstance(a, ResidentArgument)]
        for argument in residents:
            argument.check_owner(self._backend)
        check_overlaps(residents)
        explained = self._explained
        is_reported = explained.options.guards == "report" and self._shader.finished is None
        page = explained if is_reported else None
        kept = self._message_capacity
        return DispatchStep(self.name, self, self._whole, sizes, arguments, kept, page)

    def _removed(self, resources: Mapping[Any, Any]) -> list[str]:
        """The names that the HLSL declares, and the compiled shader lacks."""
        return [
            key
            for key in resources
            if isinstance(key, str)
            and look_up(self.interface, key) is None
            and not elements_of(self.interface, key)
            and self._shader.declares(key)
        ]


def _checked_capacity(count: Any) -> int:
    """The number of messages to keep. Raises ArgumentError."""
    if not isinstance(count, int) or isinstance(count, bool) or count < 0:
        raise InvalidValueError(f"message_capacity is a number of messages, not {count!r}")
    return count


def _check_no_results(resources: Mapping[Any, Any]) -> None:
    """Raise ArgumentError if a whole result is passed, and not one of its arrays."""
    for key, value in resources.items():
        if isinstance(value, Result):
            names = value._ipython_key_completions_()  # pyright: ignore[reportPrivateUsage]
            name = names[-1] if names else "u0"  # HLSL names are last
            advice = f"pass one of its arrays, such as result.{name}"
            raise WrongTypeError(f"{key} takes an array, not a whole result: {advice}")
