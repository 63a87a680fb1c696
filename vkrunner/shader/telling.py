"""Compile HLSL, with a warning wherever the code surprisingly differs from the source."""

from __future__ import annotations

import translate
from translate.dataclass import replace
from translate.errors import CompileError, TranslateError
from translate.hlsl.compiling import Compilation, CompiledHlsl
from translate.surprises import LONGEST, MARKS, may_surprise, surprises


def compile_telling(compilation: Compilation) -> CompiledHlsl:
    """Compile; surprises become warnings. Raises the errors of `Compilation.run`.

    Only debug information shows them. If the container has none and a surprise is possible, the
    source is compiled once more, with it.
    """
    made = compilation.run()
    try:
        program = translate.load(made.container)
    except TranslateError:  # whoever reads it says why
        return made
    if not program.hlsl_files:
        again = compilation.with_debug_information()
        texts = compilation.texts(MARKS, LONGEST)
        if again is None or not may_surprise(texts, compilation.entry_name, program):
            return made
        try:
            program = translate.load(again.run().container)
        except CompileError:
            return made
    told = (compilation.warning(one.file, one.line, one.message) for one in surprises(program))
    return replace(made, warnings=(*made.warnings, *told))
