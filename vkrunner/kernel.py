"""Kernel: a shader on a device. It translates, keeps the pipelines, and dispatches."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from typing import Any

import translate
from translate import Program, ShaderInterface, SpirvModule
from translate.interface import COUNTER, TYPED_BUFFER, Binding
from vkrunner.arguments import (
    COUNTER_SUFFIX,
    Argument,
    Key,
    make_arguments,
    match_arguments,
)
from vkrunner.arrays import Array
from vkrunner.buffers import Buffer
from vkrunner.descriptors import Bound, bind, check_format
from vkrunner.dispatch import check_groups, returns, run
from vkrunner.errors import ArgumentError
from vkrunner.logical import LogicalDevice
from vkrunner.pipeline import Pipeline, check_device
from vkrunner.result import Counters, Resident, Result

Source = str | bytes | os.PathLike[str] | Program | SpirvModule

DEFAULT_TIMEOUT_S = 60.0
_FOREVER_NS = 2**62

Formats = tuple[tuple[str, str], ...]  # (register, DXGI name) of the typed resources bound


class Kernel:
    """A compute shader, ready to be dispatched; made by `Device.kernel`.

    A shader with typed buffers is translated once for each combination of formats that it is
    dispatched with, any other when the kernel is made.
    """

    def __init__(self, logical: LogicalDevice, source: Source, options: Mapping[str, Any]):
        self._logical = logical
        self._closed = False
        self._stack: ExitStack = logical.own(self)
        self._pipelines: dict[Formats, Pipeline] = {}
        self._options = _options(logical, options)
        self._program, module = _load(source, self._options)
        self.interface: ShaderInterface = module.interface
        if self._program is None or not any(b.kind == TYPED_BUFFER for b in module.interface):
            self._module: SpirvModule | None = module
            self._pipelines[()] = Pipeline(logical, module, self._stack)
        else:
            self._module = None
            check_device(logical, dataclasses.replace(module.interface, features=()))

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
        `None` is a null resource. `timeout` in seconds. Raises ArgumentError, LimitError or
        FeatureError before anything runs, DispatchTimeout, or VulkanError for what the driver
        refuses.
        """
        if self._closed:
            raise ArgumentError("the kernel is closed")
        self._logical.check_open()
        if not timeout > 0:
            raise ArgumentError(f"a timeout is a positive number of seconds, not {timeout!r}")
        sizes = check_groups(self._logical, groups)
        given = match_arguments(self.interface, resources, bindings or {})
        arguments = make_arguments(self.interface, given, self._options.formats)
        return self._dispatch(arguments, sizes, round(min(timeout * 1e9, _FOREVER_NS)))

    def _dispatch(
        self, arguments: Sequence[Argument], groups: tuple[int, int, int], timeout_ns: int
    ) -> Result:
        pipeline = self._pipeline(arguments)
        stack = self._logical.own()
        try:
            bound = [bind(self._logical, argument, stack) for argument in arguments]
            duration: int | None = 0
            if 0 not in groups:
                duration = run(self._logical, pipeline, bound, groups, timeout_ns)
            return _result(self.interface, bound, duration)
        finally:
            self._logical.release(stack)

    def close(self) -> None:
        """Free the pipelines; harmless a second time."""
        self._closed = True
        self._logical.release(self._stack)
        self._pipelines.clear()

    def _pipeline(self, arguments: Sequence[Argument]) -> Pipeline:
        """The pipeline for the formats of these arguments."""
        for argument in arguments:
            check_format(self._logical, argument)
        formats = tuple(
            (a.binding.register, a.format.name) for a in arguments if a.format is not None
        )
        if self._module is not None:
            _check_fixed(self.interface, formats)
            return self._pipelines[()]
        if formats not in self._pipelines:
            assert self._program is not None
            options = dataclasses.replace(self._options, formats=dict(formats))
            module = translate.to_spirv(self._program, options)
            self._pipelines[formats] = Pipeline(self._logical, module, self._stack)
        return self._pipelines[formats]


def _options(logical: LogicalDevice, given: Mapping[str, Any]) -> translate.Options:
    """Options with the device's float controls. Raises ArgumentError for an unknown name."""
    names = [field.name for field in dataclasses.fields(translate.Options)]
    unknown = [name for name in given if name not in names]
    if unknown:
        raise ArgumentError(f"no option {unknown[0]!r}; there are {', '.join(names)}")
    every: dict[str, Any] = {"float_controls": logical.info.float_controls, **given}
    return translate.Options(**every)


def _load(source: Source, options: translate.Options) -> tuple[Program | None, SpirvModule]:
    """The program, None for a module that is finished already, and its first translation."""
    if isinstance(source, SpirvModule):
        return None, source
    program = source if isinstance(source, Program) else translate.load(source)
    return program, translate.to_spirv(program, options)


def _check_fixed(interface: ShaderInterface, formats: Formats) -> None:
    """Raise ArgumentError when a finished module was made for another format."""
    for register, name in formats:
        wanted = interface[register].format
        if wanted not in (None, name):
            raise ArgumentError(f"the module has {register} as {wanted}, not {name}")


def _result(interface: ShaderInterface, bound: Sequence[Bound], duration_ns: int | None) -> Result:
    values: dict[str, Array | Resident] = {}
    counters: dict[str, int | Buffer] = {}
    for row in bound:
        binding, argument = row.argument.binding, row.argument
        if binding.kind == COUNTER:
            if argument.counter_of is not None or argument.array is not None:
                owner = binding.register.removesuffix(COUNTER_SUFFIX)
                counters[owner] = argument.counter_of or int(_read_back(row)[0])
        elif not _is_uav(binding):
            continue
        elif argument.view is not None:
            values[binding.register] = argument.view
        elif argument.array is not None:
            values[binding.register] = _read_back(row)
    return Result(interface, values, Counters(interface, counters), duration_ns)


def _is_uav(binding: Binding) -> bool:
    return binding.register.startswith("u")


def _read_back(bound: Bound) -> Array:
    """A new array like the one that was passed, with what the device left in its place."""
    array = bound.argument.array
    assert array is not None
    if bound.storage is None or not returns(bound):
        return array.copy()
    data = bound.storage.bytes[: array.nbytes].copy()
    return data.view(array.dtype).reshape(array.shape)
