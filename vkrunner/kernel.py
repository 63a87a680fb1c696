"""Kernel: a shader on a device. It translates, keeps the pipelines, and dispatches."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import translate
from translate import ShaderInterface, SpirvModule
from translate.interface import TEXTURE, TYPED_BUFFER
from vkrunner.backend import next_token
from vkrunner.binding.arguments import Argument, NullArgument, Typed
from vkrunner.binding.making import make_arguments
from vkrunner.binding.matching import lengths_of, match_arguments
from vkrunner.binding.registers import COUNTER_SUFFIX, Key
from vkrunner.closing import Closing
from vkrunner.errors import ArgumentError
from vkrunner.future import DEFAULT_TIMEOUT_S, Future, Submission, nanoseconds
from vkrunner.plans import DispatchPlan, is_repeatable, key_of
from vkrunner.resources.buffers import Buffer
from vkrunner.result import Result, ResultLayout, residents_of
from vkrunner.shader import Shader, Source
from vkrunner.vulkan.bind import needs_window
from vkrunner.vulkan.dispatch import Groups, Indirect, check_groups, check_indirect
from vkrunner.vulkan.executable import DeviceSubmission, Executable, Origin
from vkrunner.vulkan.format_support import check_formats
from vkrunner.vulkan.logical import LogicalDevice
from vkrunner.vulkan.pipeline import Pipeline, check_device
from vkrunner.vulkan.plan_cache import Key as PlanKey
from vkrunner.vulkan.prepared import Prepared
from vkrunner.vulkan.size_tables import check_tables, tables_for

# Register of a typed resource to the DXGI name bound, or to one for each register of its range
Formats = dict[str, str | tuple[str, ...]]
Windows = tuple[str, ...]  # registers of views that no descriptor of the device shows as they are
Variant = tuple[tuple[tuple[str, str | tuple[str, ...]], ...], tuple[tuple[str, int], ...], Windows]

# What a module needs or not by the formats and lengths that it is translated for
_BY_VARIANT = (
    "storage_image_read_without_format",
    "storage_image_write_without_format",
    "storage_image_extended_formats",
    "runtime_descriptor_array",
)


@dataclass(frozen=True, slots=True)
class Request:
    """A dispatch whose arguments were checked. `lengths` are those of unbounded arrays."""

    groups: Groups | Indirect
    arguments: list[Argument]
    lengths: dict[str, int]


class Kernel(Closing):
    """A compute shader, ready to be dispatched; made by `Device.kernel`.

    A shader with typed buffers or textures is translated once for each combination of formats that
    it is dispatched with, one with unbounded arrays for each combination of lengths, any other when
    the kernel is made; and each anew for views that the device cannot bind as they are.
    """

    def __init__(self, logical: LogicalDevice, source: Source, options: Mapping[str, Any]):
        self._logical = logical
        self._closed = False
        self._token = next_token()
        self._stack: ExitStack = logical.own(self)
        self._pipelines: dict[Variant, Pipeline] = {}
        self._options = _options(logical, options)
        self._shader = source if isinstance(source, Shader) else Shader(source)
        self.name = self._shader.name or "kernel"  # which a profile calls it
        self._module = self._shader.module(self._options)
        if "size_tables" not in options:
            self._use_tables()
        self.interface: ShaderInterface = self._module.interface
        self._prepare()

    def _use_tables(self) -> None:
        """Take the sizes of buffers in arrays from tables where the device gets them wrong."""
        if self._is_finished:
            check_tables(self._logical, self._module.interface)
            return
        tables = tables_for(self._logical, self._module.interface)
        if tables != self._options.size_tables:
            self._options = dataclasses.replace(self._options, size_tables=tables)
            self._module = self._shader.module(self._options)

    def _prepare(self) -> None:
        """What can be made, or refused, before anything is bound."""
        logical = self._logical
        self._stack.callback(logical.plans.drop, self._token)
        if not self._has_variants:
            self._pipelines[(), (), ()] = Pipeline(logical, self._module, self._stack)
            return
        features = self.interface.features
        if not self._is_finished:
            features = tuple(name for name in features if name not in _BY_VARIANT)
        check_device(logical, dataclasses.replace(self.interface, features=features))

    @property
    def logical(self) -> LogicalDevice:
        """The device that it is on."""
        return self._logical

    @property
    def _is_finished(self) -> bool:
        """Whether it was made from a module, which is not translated anew."""
        return self._shader.finished is not None

    @property
    def _has_variants(self) -> bool:
        """Whether what is bound decides how the shader is translated, or laid out."""
        if any(binding.count == 0 for binding in self.interface):
            return True
        typed = any(binding.kind in (TYPED_BUFFER, TEXTURE) for binding in self.interface)
        return typed and not self._is_finished

    def dispatch(
        self,
        groups: int | Sequence[int],
        /,
        *,
        bindings: Mapping[Key, Any] | None = None,
        timeout: float = DEFAULT_TIMEOUT_S,
        **resources: Any,
    ) -> Result:
        """Run the shader over `groups` thread groups (x, y, z) and wait for its end.

        `resources` are by register (`t0`, `u0`, `cb0`) or HLSL name; `bindings` takes the same, and
        (class, space, number), for instance ("u", 0, 2). Arrays are uploaded and not changed;
        `device.buffer(...)`, its views and textures stay on the device; `None` is a null resource;
        a sampler that is left out is D3D's default; an array of resources takes a list. `timeout`
        in seconds.

        Raises ArgumentError for what does not fit, LimitError and FeatureError for what the device
        cannot do, DispatchTimeout when the work does not end in time, DeviceLostError or
        VulkanError for what the driver refuses.
        """
        with self._logical.in_use():
            return self._dispatch(groups, resources, bindings, timeout)

    def dispatch_indirect(
        self,
        buffer: Buffer,
        offset: int = 0,
        /,
        *,
        bindings: Mapping[Key, Any] | None = None,
        timeout: float = DEFAULT_TIMEOUT_S,
        **resources: Any,
    ) -> Result:
        """Run the shader over as many thread groups as a buffer on the device says.

        They are three uint32 (x, y, z) at byte `offset`, a multiple of 4. They are not looked at
        before the device takes them: more than `device.limits.max_workgroup_count` of them are
        undefined. All else, errors included, as in `dispatch`.
        """
        with self._logical.in_use():
            groups = check_indirect(self._logical, buffer, offset)
            return self._dispatch(groups, resources, bindings, timeout)

    def dispatch_async(
        self,
        groups: int | Sequence[int],
        /,
        *,
        bindings: Mapping[Key, Any] | None = None,
        **resources: Any,
    ) -> Future:
        """Hand a dispatch to the device and return at once: a future, whose `result()` it is.

        Arrays were read when this returns. What is submitted later runs later where it uses the
        same resources. Raises as `dispatch` does.
        """
        with self._logical.in_use():
            future = Future(self._submit(groups, resources, bindings))
            self._logical.settle_before_close(future)
        return future

    def request(
        self,
        groups: int | Sequence[int] | Indirect,
        resources: Mapping[str, Any],
        bindings: Mapping[Key, Any] | None,
    ) -> Request:
        """What a dispatch was asked for. Raises ArgumentError or LimitError as `dispatch` does."""
        self.check_open()
        sizes = groups
        if not isinstance(sizes, Indirect):
            sizes = check_groups(self._logical, sizes)
        given = match_arguments(self.interface, resources, bindings or {})
        arguments = make_arguments(self.interface, given, self._options.formats)
        return Request(sizes, arguments, lengths_of(self.interface, given))

    def prepare(self, request: Request, stack: ExitStack, *, is_recorded: bool) -> Prepared:
        """Bring a dispatch onto the device; `stack` frees what is made for it."""
        arguments = request.arguments
        pipeline = self._pipeline(arguments, request.lengths)
        return Prepared(
            self._logical, pipeline, arguments, request.groups, stack, is_recorded=is_recorded
        )

    def close(self) -> None:
        """Free the pipelines, when work in flight has ended; harmless a second time."""
        self._closed = True
        self._logical.closings += 1
        self._logical.retire(self._stack)

    def check_open(self) -> None:
        """Raises ArgumentError when closed, and as the device's check does."""
        if self._closed:
            raise ArgumentError("the kernel is closed")
        self._logical.check_open()

    def _dispatch(
        self,
        groups: int | Sequence[int] | Indirect,
        resources: Mapping[str, Any],
        bindings: Mapping[Key, Any] | None,
        timeout: float,
    ) -> Result:
        timeout_ns = nanoseconds(timeout)
        return self._start(groups, resources, bindings).finish(timeout_ns)

    def _submit(
        self,
        groups: int | Sequence[int],
        resources: Mapping[str, Any],
        bindings: Mapping[Key, Any] | None,
    ) -> Submission:
        return self._start(groups, resources, bindings)

    def _start(
        self,
        groups: int | Sequence[int] | Indirect,
        resources: Mapping[str, Any],
        bindings: Mapping[Key, Any] | None,
    ) -> DeviceSubmission:
        """Submit a dispatch, by what is left of one like it where there was one."""
        logical = self._logical
        timed = logical.timestamps
        if self._closed:
            self.check_open()
        logical.check_alive()  # the queue itself tells whether it can be used
        key = key_of(self._token, timed, groups, resources) if not bindings else None
        plan = logical.plans.find(key) if key is not None else None
        executable = plan.take() if plan is not None else None
        if plan is not None and executable is not None:
            return plan.repeat(self.name, executable, resources)
        return self._first(self.request(groups, resources, bindings), key, resources, timed)

    def _first(
        self, request: Request, key: PlanKey | None, resources: Mapping[str, Any], timed: bool
    ) -> DeviceSubmission:
        """Submit a dispatch with new arguments, and keep it for repetitions where they may come."""
        logical, arguments = self._logical, request.arguments

        def make(stack: ExitStack) -> dict[None, Prepared]:
            return {None: self.prepare(request, stack, is_recorded=False)}

        executable = Executable(logical, make, timed=timed, is_planned=True)
        layout = ResultLayout(self.interface, arguments)
        plan = DispatchPlan(logical, layout, resources, arguments)
        if key is not None and is_repeatable(arguments):
            plan = logical.plans.keep(key, plan, executable)
        origins = {None: Origin(self.name, layout, residents_of(arguments))}
        submission = DeviceSubmission(logical, executable, origins, plan)
        submission.start({})
        return submission

    def _pipeline(self, arguments: Sequence[Argument], lengths: Mapping[str, int]) -> Pipeline:
        """The pipeline for the formats and numbers of these arguments."""
        check_formats(self._logical, arguments)
        formats = _formats(arguments)
        if self._is_finished:
            _check_fixed(self.interface, formats)
            formats = {}
        windows = self._windows(arguments)
        if not self._has_variants and not windows:
            return self._pipelines[(), (), ()]
        variant = (tuple(formats.items()), tuple(lengths.items()), windows)
        if variant not in self._pipelines:
            module = self._translated(formats, lengths, windows)
            self._pipelines[variant] = Pipeline(self._logical, module, self._stack)
        return self._pipelines[variant]

    def _windows(self, arguments: Sequence[Argument]) -> Windows:
        """The windows beyond those asked for by options; a finished module gets none."""
        if self._is_finished:
            return ()
        asked = self._options.windows
        needed = [a.binding.register for a in arguments if needs_window(self._logical, a)]
        return tuple(register for register in needed if register not in asked)

    def _translated(
        self, formats: Formats, lengths: Mapping[str, int], windows: Windows
    ) -> SpirvModule:
        """The module for these formats and lengths; a finished one is only laid out for them."""
        if self._is_finished:
            bindings = tuple(
                dataclasses.replace(b, count=lengths.get(b.register, b.count))
                for b in self.interface
            )
            interface = dataclasses.replace(self.interface, bindings=bindings)
            return dataclasses.replace(self._module, interface=interface)
        uavs = {r: n for r, n in lengths.items() if not r.endswith(COUNTER_SUFFIX)}
        options = dataclasses.replace(
            self._options,
            formats=formats,
            array_lengths=uavs,
            windows=self._options.windows | frozenset(windows),
        )
        return self._shader.module(options)


def _options(logical: LogicalDevice, given: Mapping[str, Any]) -> translate.Options:
    """Options with the device's float controls. Raises ArgumentError for an unknown name."""
    names = [field.name for field in dataclasses.fields(translate.Options)]
    unknown = [name for name in given if name not in names]
    if unknown:
        raise ArgumentError(f"no option {unknown[0]!r}; there are {', '.join(names)}")
    every: dict[str, Any] = {"float_controls": logical.info.float_controls, **given}
    return translate.Options(**every)


def _formats(arguments: Sequence[Argument]) -> Formats:
    """The format of each typed register; of a range that shows several, one for each register.

    Null ones take the format of the first that is not: no shader can tell, and there are fewer
    variants.
    """
    found: dict[str, list[tuple[str, bool]]] = {}
    for argument in arguments:
        if isinstance(argument, Typed):
            names = found.setdefault(argument.binding.register, [])
            names.append((argument.format.name, isinstance(argument, NullArgument)))
    formats: Formats = {}
    for register, names in found.items():
        first = next((name for name, is_null in names if not is_null), names[0][0])
        each = tuple(first if is_null else name for name, is_null in names)
        formats[register] = each if len(set(each)) > 1 else first
    return formats


def _check_fixed(interface: ShaderInterface, formats: Formats) -> None:
    """Raise ArgumentError when a finished module was made for another format."""
    for register, names in formats.items():
        wanted = interface[register].format
        for name in (names,) if isinstance(names, str) else names:
            if wanted not in (None, name):
                raise ArgumentError(f"the module has {register} as {wanted}, not {name}")
