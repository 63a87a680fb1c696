"""Prepared: a kernel's dispatch with its arguments on the device, to be submitted repeatedly."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack

from translate.interface import COUNTER
from vkrunner.binding.arguments import Argument, ArrayArgument, ResidentBytes, ResidentTexture
from vkrunner.bound import is_changed
from vkrunner.descriptors import bind, needs_excerpt
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
            if isinstance(a, ArrayArgument) and a.is_moved
        ]
        self.inputs = [Input(a, b) for a, b in moved]
        self.outputs = {a.place: Output(a, b) for a, b in moved if _is_result(a)}
        self.nbytes = sum(i.target.nbytes for i in self.inputs)
        self.is_repeatable = all(a.is_moved for a in arguments if isinstance(a, ArrayArgument))

    def clear_report(self) -> None:
        if self._report:
            clear_report(self._report)

    def violations(self) -> Violations:
        return violations_of(self._interface, self._report)

    def read(self, argument: ArrayArgument) -> Array:
        """A new array like the one that was passed, with what a submission left in its place."""
        output = self.outputs.get(argument.place)
        # What is not moved is bound to nothing, or to what is never read back
        return output.read() if output is not None else argument.array.copy()


def uses_of(logical: LogicalDevice, arguments: Sequence[Argument]) -> list[Use]:
    """What a dispatch does with the resources that stay on the device."""
    uses: list[Use] = []
    for argument in arguments:
        binding = argument.binding
        writes = is_changed(binding) or binding.kind == COUNTER
        if isinstance(argument, ResidentBytes):
            first, size = argument.byte_range
            stage = COPY if needs_excerpt(argument, logical) else SHADER
            uses.append(Use(argument.storage.token, ((first, first + size),), writes, stage))
        elif isinstance(argument, ResidentTexture):
            uses.append(Use(argument.image.token, spans_of(argument.view.part), writes))
    return uses


def spans_of(part: Part) -> tuple[tuple[int, int], tuple[int, int]]:
    """The mips and the layers of a part of an image."""
    return (
        (part.first_mip, part.first_mip + part.num_mips),
        (part.first_layer, part.first_layer + part.num_layers),
    )


def _is_result(argument: Argument) -> bool:
    return argument.binding.kind == COUNTER or argument.binding.register.startswith("u")
