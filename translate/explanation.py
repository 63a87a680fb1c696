"""The IR between two passes as text, and continuing from it; explanations of translations.

An explanation has the lines of a shader, its IR and its SPIR-V side by side, and its guards.
`explain` translates a shader with passes that note their decisions. The reasons for guards are
those of the passes themselves. The text format of the IR may change between versions.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from translate.asm import print_listing
from translate.bindings.interface import bindings_of, interface_of
from translate.bindings.places import name_of
from translate.dataclass import dataclass
from translate.errors import Where
from translate.gc_pause import gc_paused
from translate.ir.parser import parse_module
from translate.ir.printer import placed_lines, print_module
from translate.ir.row import Stage
from translate.ir.values import Guard, Module
from translate.ir.verify import verify
from translate.options import Options
from translate.passes.guards.explained import reasons_of, rule_of, verdict_of
from translate.passes.pipeline import LOWERED, passes, run_passes
from translate.pipeline import emitted_with, lowered, translate_module, with_limit
from translate.program import Program, placed_errors
from translate.spirv.locations import Location, SourceFile, Sources
from translate.spirv.module import SpirvModule, is_available


def dump_ir(program: Program, options: Options, last: str | None = None) -> str:
    """Print the IR after the pass named `last`, or after all passes; with source locations.

    The name "lowering" means the IR before the first pass. Raises TranslateError if no pass has the
    name.
    """
    options = with_limit(program, options)
    with placed_errors(program):
        module = lowered(program, options)
        run_passes(module, options, last)
    return print_module(module, locations=True)


def translate_ir(text: str, options: Options, file: str | None = None) -> SpirvModule:
    """Run the remaining passes on the output of `dump_ir` and emit SPIR-V.

    The text names the last pass that ran, but not the options: pass the same ones again. Raises
    AssemblyError for a syntax error, and VerifyError for a module that breaks the IR's rules.
    """
    module = parse_module(text, file)
    stages = {LOWERED: Stage.LOWERED, **{one.name: one.stage for one in passes(options)}}
    verify(module, stages.get(module.after or LOWERED))
    return translate_module(module, options)


_OP_LINE = re.compile(r"\s*OpLine %\S+ (\d+) \d+")
_ENDS_LINE = re.compile(r"\s*(%\S+ = )?Op(NoLine|Label|FunctionEnd)\b")
_LINE_NAME = re.compile(r"\s*%\S+ = OpString ")


@dataclass(frozen=True, slots=True)
class ExplainedLine:
    """A line of a text.

    Attributes
    ----------
    text : str
        The line without its end.
    instruction : int or None
        The number of the shader's instruction that the line is, or that it was made from; None for
        other lines.
    """

    text: str
    instruction: int | None = None


@dataclass(frozen=True, slots=True)
class ExplainedFile:
    """A file of the shader's HLSL, from its debug information.

    Attributes
    ----------
    name : str
        The file's name.
    lines : tuple of str
        Its lines.
    """

    name: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ExplainedAccess:
    """An instruction's accesses to one register, and their guard.

    Attributes
    ----------
    instruction : int or None
        The number of the instruction.
    line : int or None
        The listing's line; None for a container.
    register : str
        The accessed register.
    kind : str
        The kind of memory, as in `ReportSite`.
    action : str
        The kind of access: load, store or atomic.
    guard : str
        "stays" (the shader checks), "proved" (in bounds without a check), "shared" (an earlier
        check is the same), "device" (the device checks), "unchecked" (by the option `guards`) or
        "removed" (the result is unused).
    reasons : tuple of str
        Sentences: why each comparison stays or goes.
    rule : str
        D3D's result out of bounds, with its source.
    """

    instruction: int | None
    line: int | None
    register: str
    kind: str
    action: str
    guard: str
    reasons: tuple[str, ...]
    rule: str


@dataclass(frozen=True, slots=True)
class Explanation:
    """A translation with the lines of all its forms.

    Attributes
    ----------
    program : Program
        The shader.
    module : SpirvModule
        Its translation.
    hlsl : tuple of ExplainedFile
        The HLSL, the compiled file first; empty without debug information.
    hlsl_places : mapping of int to tuple
        For the number of an instruction: its HLSL file and line.
    listing : tuple of ExplainedLine
        The listing.
    ir : tuple of ExplainedLine
        The IR after the last pass.
    spirv : tuple of ExplainedLine
        The module as text; empty if SPIRV-Tools are missing.
    accesses : tuple of ExplainedAccess
        All accesses to memory, in the order of the instructions.
    counts : mapping of str to int
        The numbers of declarations, instructions, registers, operations of the IR and words of
        SPIR-V.
    mnemonics : mapping of str to int
        The number of instructions of each name, most frequent first.
    options : Options
        The options of the translation.
    """

    program: Program
    module: SpirvModule
    hlsl: tuple[ExplainedFile, ...]
    hlsl_places: Mapping[int, tuple[str, int]]
    listing: tuple[ExplainedLine, ...]
    ir: tuple[ExplainedLine, ...]
    spirv: tuple[ExplainedLine, ...]
    accesses: tuple[ExplainedAccess, ...]
    counts: Mapping[str, int]
    mnemonics: Mapping[str, int]
    options: Options

    def __repr__(self) -> str:
        """The program, the number of accesses to memory, and how many of them have a check."""
        accesses, checks = len(self.accesses), sum(a.guard == "stays" for a in self.accesses)
        program = repr(self.program)[1:-1]
        return f"<Explanation of {program}, accesses to memory: {accesses}, with a check: {checks}>"


def explain(program: Program, options: Options | None = None) -> Explanation:
    """Translate a shader, and explain the translation.

    This takes longer than `to_spirv`. The module is the same.

    Parameters
    ----------
    program : Program
        The shader, which is not changed.
    options : Options, optional
        How to translate; `Options()` by default. The module is not validated, and has no debug
        information.

    Returns
    -------
    Explanation
        The lines and accesses of the shader.

    Raises
    ------
    UnsupportedError
        The shader uses a feature that is not translated, or the translation exceeds a size limit.
    TranslateError
        The shader breaks the rules of its shader model.

    Examples
    --------
    >>> import translate
    >>> explained = translate.explain(translate.load("shaders/saxpy.dxbc"))
    >>> explained.accesses[-1].register
    'u0'
    """
    given = options or Options()
    chosen = with_limit(program, given)
    with placed_errors(program), gc_paused():
        module = lowered(program, chosen)
        run_passes(module, chosen, noted=True)
        return _explanation(program, module, chosen, given)


def _explanation(program: Program, module: Module, options: Options, given: Options) -> Explanation:
    """The explanation of a module; `given` are the options before a limit was chosen."""
    made, spirv = _emitted(program, module, options)
    files = program.hlsl_files.items()
    rows = [s.row for s in program.statements if not s.row.is_declaration]
    return Explanation(
        program,
        made,
        tuple(ExplainedFile(name, tuple(text.splitlines())) for name, text in files),
        _hlsl_places(program),
        tuple(_listing(program)),
        tuple(ExplainedLine(text, where.instruction) for text, where in placed_lines(module)),
        tuple(spirv),
        tuple(_accesses(module)),
        {
            "declarations": len(program.statements) - len(rows),
            "instructions": len(rows),
            "registers": module.temp_count,
            "operations of the IR": len(module.walk()),
            "words of SPIR-V": len(made.data) // 4,
        },
        dict(Counter(row.name for row in rows).most_common()),
        given,
    )


def _hlsl_places(program: Program) -> dict[int, tuple[str, int]]:
    found: dict[int, tuple[str, int]] = {}
    for statement in program.statements:
        where = statement.where
        if where.instruction is not None and where.hlsl_file and where.hlsl_line:
            found[where.instruction] = where.hlsl_file, where.hlsl_line
    return found


def _listing(program: Program) -> Iterator[ExplainedLine]:
    """The lines of a listing, or those of a container's disassembly."""
    if program.source_lines is None:
        lines = print_listing(program).splitlines()
        first = len(lines) - program.instruction_count
        for number, text in enumerate(lines):
            yield ExplainedLine(text, number - first if number >= first else None)
        return
    places = {s.where.line: s.where.instruction for s in program.statements}
    for number, text in enumerate(program.source_lines, 1):
        yield ExplainedLine(text, places.get(number))


def _emitted(
    program: Program, module: Module, options: Options
) -> tuple[SpirvModule, list[ExplainedLine]]:
    """The module in SPIR-V, and the lines of its text; no lines without SPIRV-Tools."""
    bindings = bindings_of(module, options, program.reflection, program.root_signature)
    emitted = emitted_with(module, bindings, options)
    interface = interface_of(module, bindings, emitted, options)
    made = SpirvModule(emitted.data, interface)
    if not is_available():
        return made, []
    lines = Sources((SourceFile("instructions"),), _numbered)
    placed = emitted_with(module, bindings, options, lines)
    numbers = _instructions(SpirvModule(placed.data, interface).text())
    return made, [*map(ExplainedLine, made.text().splitlines(), numbers)]


def _numbered(where: Where) -> Location | None:
    return None if where.instruction is None else Location(0, where.instruction + 1)


def _instructions(text: str) -> Iterator[int | None]:
    """The instruction of each line of a module's text, without the lines for locations."""
    current: int | None = None
    for line in text.splitlines():
        place = _OP_LINE.match(line)
        if place is not None:
            current = int(place[1]) - 1
            continue
        if _LINE_NAME.match(line):
            continue
        if _ENDS_LINE.match(line):
            current = None
        yield current


def _accesses(module: Module) -> Iterator[ExplainedAccess]:
    """The accesses by instruction and register, each with the guards of all its dwords."""
    grouped: dict[tuple[Where, str], list[Guard]] = {}
    for guard in module.guards:
        grouped.setdefault((guard.where, guard.resource.register), []).append(guard)
    for (where, register), guards in grouped.items():
        first = guards[0]
        yield ExplainedAccess(
            where.instruction,
            where.line,
            register,
            name_of(first.resource.kind, first.resource.shape),
            first.action,
            verdict_of(guards),
            tuple(_unique(reasons_of(guards))),
            rule_of(first.resource.kind, first.action),
        )


def _unique(texts: Iterator[str]) -> Sequence[str]:
    return [*dict.fromkeys(texts)]
