"""Prepared: a kernel's dispatch with its arguments on the device, to be submitted repeatedly."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack

from translate.interface import COUNTER
from vkrunner.arguments import Argument
from vkrunner.bound import is_changed
from vkrunner.descriptors import bind, byte_range, needs_excerpt, resident_storage
from vkrunner.dispatch import Dispatch, Groups, Indirect
from vkrunner.exchange import Input, Output
from vkrunner.pipeline import Pipeline
from vkrunner.report import Violations, bind_report, clear_report, violations_of
from vkrunner.resources.images import Part
from vkrunner.size_tables import bind_size_tables
from vkrunner.values.arrays import Array
from vkrunner.vulkan.barriers import COPY, SHADER, Use
from vkrunner.vulkan.logical import LogicalDevice


class Prepared(Dispatch):
    """A dispatch, its `inputs` to be written before each submission and its `outputs` after.

    It refers to nothing that stays on the device but by handles. `nbytes` is what its arrays take.
    """

    def __init__(
        self,
        logical: LogicalDevice,
        pipeline: Pipeline,
        arguments: Sequence[Argument],
        groups: Groups | Indirect,
        stack: ExitStack,
    ):
        windows = pipeline.interface.windows
        bound = [bind(logical, a, stack, windowed=a.binding.register in windows) for a in arguments]
        self._interface = pipeline.interface
        tables = bind_size_tables(logical, pipeline.interface, bound, stack)
        self._report = bind_report(logical, pipeline.interface, arguments, stack)
        self.has_report = bool(self._report)
        uses = uses_of(logical, arguments)
        if isinstance(groups, Indirect):
            uses.append(groups.use())
        super().__init__(pipeline, [*bound, *tables, *self._report], groups, stack, uses)
        moved = [
            (a, b)
            for a, b in zip(arguments, bound, strict=True)
            if a.array is not None and b.moved is not None
        ]
        self.inputs = [Input(a, b) for a, b in moved]
        self.outputs = {o.place: o for o in (Output(a, b) for a, b in moved if _is_result(a))}
        self.nbytes = sum(i.target.nbytes for i in self.inputs)
        self.is_nothing = not isinstance(groups, Indirect) and 0 in groups
        self.is_repeatable = all(_is_repeatable(a) for a in arguments)

    def clear_report(self) -> None:
        if self._report:
            clear_report(self._report)

    def violations(self) -> Violations:
        return violations_of(self._interface, self._report)

    def read(self, argument: Argument) -> Array:
        """A new array like the one that was passed, with what a submission left in its place."""
        output = self.outputs.get((argument.binding.register, argument.element))
        if output is not None:
            return output.read()
        assert argument.array is not None
        return argument.array.copy()  # an empty one is bound to nothing


def uses_of(logical: LogicalDevice, arguments: Sequence[Argument]) -> list[Use]:
    """What a dispatch does with the resources that stay on the device."""
    uses: list[Use] = []
    for argument in arguments:
        binding = argument.binding
        writes = is_changed(binding) or binding.kind == COUNTER
        storage = resident_storage(argument)
        if storage is not None:
            first, size = byte_range(argument)
            stage = COPY if needs_excerpt(logical, argument) else SHADER
            uses.append(Use(storage.token, ((first, first + size),), writes, stage))
        elif argument.texture is not None:
            view = argument.texture
            uses.append(Use(view.texture.image.token, spans_of(view.part), writes))
    return uses


def spans_of(part: Part) -> tuple[tuple[int, int], tuple[int, int]]:
    """The mips and the layers of a part of an image."""
    return (
        (part.first_mip, part.first_mip + part.num_mips),
        (part.first_layer, part.first_layer + part.num_layers),
    )


def _is_result(argument: Argument) -> bool:
    return argument.binding.kind == COUNTER or argument.binding.register.startswith("u")


def _is_repeatable(argument: Argument) -> bool:
    """Whether other contents can be put in the array's place.

    A multisampled one is a texture of its own, filled once; an empty one is nowhere.
    """
    if argument.array is None:
        return True
    samples = argument.layout.size.samples if argument.layout is not None else 1
    return samples == 1 and argument.array.size > 0
