"""From Program to SpirvModule: lowering, facts about resources, passes, emission, interface."""

from __future__ import annotations

from collections.abc import Sequence

from translate.bindings.interface import bindings_of, interface_of
from translate.bindings.views import entries_of, push_offsets_of, views_of, windows_of
from translate.dataclass import replace
from translate.interface import Binding
from translate.ir.size import largest, too_large
from translate.ir.values import Module
from translate.lower import Lengths, lower_program, most_operations
from translate.options import Options
from translate.passes.guards.rules import POLICIES
from translate.passes.pipeline import run_passes
from translate.program import Program
from translate.sources import lines_of, source_of
from translate.spirv.emit import Emitted, emit_module
from translate.spirv.locations import Sources
from translate.spirv.module import SpirvModule, validate, validate_if_available
from translate.target_device import device_of


def translate_program(program: Program, options: Options) -> SpirvModule:
    """The implementation of `translate.to_spirv`."""
    options = with_limit(program, options)
    module = lowered(program, options)
    return translate_module(module, options, program)


def with_limit(program: Program, options: Options) -> Options:
    """Replace `max_instructions=None` by the default for the program's length."""
    if options.max_instructions is not None:
        return options
    return replace(options, max_instructions=most_operations(program))


def lowered(program: Program, options: Options) -> Module:
    """Lower a program to the IR that the first pass takes."""
    reports = POLICIES[options.guards].reports
    module = lower_program(
        program,
        options.class_instances,
        reports,
        Lengths(options.array_lengths, options.constant_lengths),
        options.max_instructions,
    )
    module.tables.views = views_of(module, options, program.reflection)
    return module


def translate_module(
    module: Module, options: Options, program: Program | None = None
) -> SpirvModule:
    """Run the remaining passes and emit SPIR-V; `program` supplies reflection and source."""
    run_passes(module, options)
    bindings = bindings_of(
        module,
        options,
        program.reflection if program else None,
        program.root_signature if program else None,
    )
    file = program.file if program else None
    emitted = emitted_with(
        module,
        bindings,
        options,
        lines_of(module, file) if options.debug_lines else None,
        source_of(module, program, bindings) if options.debug_info else None,
    )
    _check_words(len(emitted.data) // 4, module, options.max_words)
    _validate(emitted, options)
    interface = interface_of(module, bindings, emitted, options)
    return SpirvModule(emitted.data, interface)


def emitted_with(
    module: Module,
    bindings: Sequence[Binding],
    options: Options,
    lines: Sources | None = None,
    debug: Sources | None = None,
) -> Emitted:
    """Emit a module with these bindings; `lines` and `debug` as for `emit_module`."""
    places = {b.register: (b.set, b.binding) for b in bindings}
    return emit_module(
        module,
        places.__getitem__,
        options.target,
        device_of(options),
        windows_of(module),
        entries_of(module),
        push_offsets_of(module),
        lines,
        debug,
    )


def _check_words(count: int, module: Module, most: int) -> None:
    if count > most:
        raise too_large(f"{count} words of SPIR-V", "max_words", most, *largest(module))


def _validate(emitted: Emitted, options: Options) -> None:
    if options.validate:
        check = validate_if_available if options.validate == "available" else validate
        check(emitted.data, options.target)
