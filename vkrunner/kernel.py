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
from vkrunner.arguments import (
    COUNTER_SUFFIX,
    Argument,
    Key,
    lengths_of,
    make_arguments,
    match_arguments,
)
from vkrunner.arrays import Array
from vkrunner.bound import Bound
from vkrunner.descriptors import bind, check_filters, check_format, needs_window
from vkrunner.dispatch import check_groups, run
from vkrunner.errors import ArgumentError
from vkrunner.logical import LogicalDevice
from vkrunner.pipeline import Pipeline, check_device
from vkrunner.report import bind_report, violations_of
from vkrunner.result import Result, contents_of
from vkrunner.shader import Shader, Source

DEFAULT_TIMEOUT_S = 60.0
_FOREVER_NS = 2**62

Formats = dict[str, str]  # register of a typed resource to the DXGI name bound
Windows = tuple[str, ...]  # registers of views that no descriptor of the device shows as they are
Variant = tuple[tuple[tuple[str, str], ...], tuple[tuple[str, int], ...], Windows]

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

    groups: tuple[int, int, int]
    arguments: list[Argument]
    lengths: dict[str, int]
    timeout_s: float


class Kernel:
    """A compute shader, ready to be dispatched; made by `Device.kernel`.

    A shader with typed buffers or textures is translated once for each combination of formats that
    it is dispatched with, one with unbounded arrays for each combination of lengths, any other when
    the kernel is made; and each anew for views that the device cannot bind as they are.
    """

    def __init__(self, logical: LogicalDevice, source: Source, options: Mapping[str, Any]):
        self._logical = logical
        self._closed = False
        self._stack: ExitStack = logical.own(self)
        self._pipelines: dict[Variant, Pipeline] = {}
        self._options = _options(logical, options)
        self._shader = source if isinstance(source, Shader) else Shader(source)
        self._module = self._shader.module(self._options)
        self.interface: ShaderInterface = self._module.interface
        self._prepare()

    def _prepare(self) -> None:
        """What can be made, or refused, before anything is bound."""
        logical = self._logical
        if not self._has_variants:
            self._pipelines[(), (), ()] = Pipeline(logical, self._module, self._stack)
            return
        features = self.interface.features
        if not self._is_finished:
            features = tuple(name for name in features if name not in _BY_VARIANT)
        check_device(logical, dataclasses.replace(self.interface, features=features))

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
        `None` is a null resource; an array of resources (cs_5_1) takes a list under its first
        register, or single ones under theirs. A sampler that is left out is D3D11's default:
        linear, clamp, a comparison that never passes. `timeout` in seconds.

        Raises ArgumentError, LimitError or FeatureError before anything runs, DispatchTimeout, or
        VulkanError for what the driver refuses.
        """
        return self._run(self._request(groups, resources, bindings or {}, timeout))

    def _request(
        self,
        groups: int | Sequence[int],
        resources: Mapping[str, Any],
        bindings: Mapping[Key, Any],
        timeout: float,
    ) -> Request:
        """What a dispatch was asked for. Raises ArgumentError or LimitError as `dispatch` does."""
        if self._closed:
            raise ArgumentError("the kernel is closed")
        self._logical.check_open()
        if not timeout > 0:
            raise ArgumentError(f"a timeout is a positive number of seconds, not {timeout!r}")
        sizes = check_groups(self._logical, groups)
        given = match_arguments(self.interface, resources, bindings)
        arguments = make_arguments(self.interface, given, self._options.formats)
        return Request(sizes, arguments, lengths_of(self.interface, given), timeout)

    def _run(self, request: Request) -> Result:
        groups, arguments = request.groups, request.arguments
        timeout_ns = round(min(request.timeout_s * 1e9, _FOREVER_NS))
        pipeline = self._pipeline(arguments, request.lengths)
        stack = self._logical.own()
        try:
            windows = pipeline.interface.windows
            bound = [
                bind(self._logical, a, stack, windowed=a.binding.register in windows)
                for a in arguments
            ]
            report = bind_report(self._logical, pipeline.interface, stack)
            duration: int | None = 0
            if 0 not in groups:
                duration = run(self._logical, pipeline, [*bound, *report], groups, timeout_ns)
            result = _result(self.interface, arguments, bound, duration)
            result.violations = violations_of(pipeline.interface, report)
            return result
        finally:
            self._logical.release(stack)

    def close(self) -> None:
        """Free the pipelines; harmless a second time."""
        self._closed = True
        self._logical.release(self._stack)
        self._pipelines.clear()

    def _pipeline(self, arguments: Sequence[Argument], lengths: Mapping[str, int]) -> Pipeline:
        """The pipeline for the formats and numbers of these arguments."""
        for argument in arguments:
            check_format(self._logical, argument)
        check_filters(self._logical, arguments)
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
    """The format of each typed register; of an array only where all of it has the same."""
    found: dict[str, set[str]] = {}
    for argument in sorted(arguments, key=lambda a: a.is_null):
        if argument.format is None:
            continue
        names = found.setdefault(argument.binding.register, set())
        if not (argument.is_null and names):
            names.add(argument.format.name)
    return {register: names.pop() for register, names in found.items() if len(names) == 1}


def _check_fixed(interface: ShaderInterface, formats: Formats) -> None:
    """Raise ArgumentError when a finished module was made for another format."""
    for register, name in formats.items():
        wanted = interface[register].format
        if wanted not in (None, name):
            raise ArgumentError(f"the module has {register} as {wanted}, not {name}")


def _result(
    interface: ShaderInterface,
    arguments: Sequence[Argument],
    bound: Sequence[Bound],
    duration_ns: int | None,
) -> Result:
    rows = {(row.binding.register, row.element): row for row in bound}

    def read_back(argument: Argument) -> Array:
        return _read_back(argument, rows[argument.binding.register, argument.element])

    values, counters = contents_of(interface, arguments, read_back)
    return Result(interface, values, counters, duration_ns)


def _read_back(argument: Argument, bound: Bound) -> Array:
    """A new array like the one that was passed, with what the device left in its place."""
    array = argument.array
    assert array is not None
    if not bound.is_returned:
        return array.copy()
    if bound.copy is not None:
        data = bound.copy.level(0)
    else:
        assert bound.storage is not None
        data = bound.storage.bytes[: array.nbytes]
    return data.copy().view(array.dtype).reshape(array.shape)
