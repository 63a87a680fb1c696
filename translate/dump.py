"""Print the IR between two passes, and continue a translation from that text.

These are tools for developers of the compiler. The text format may change between versions.
"""

from __future__ import annotations

from translate.ir.parser import parse_module
from translate.ir.printer import print_module
from translate.ir.row import Stage
from translate.ir.verify import verify
from translate.options import Options
from translate.passes.pipeline import LOWERED, passes, run_passes
from translate.pipeline import lowered, translate_module, with_limit
from translate.program import Program, placed_errors
from translate.spirv.module import SpirvModule


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
