"""The IR of a translation as text, and a translation that goes on from such text.

For developers of the compiler: the text is no stable format.
"""

from __future__ import annotations

from translate.ir.parser import parse_module
from translate.ir.printer import print_module
from translate.ir.row import Stage
from translate.ir.verify import verify
from translate.options import Options
from translate.passes.pipeline import LOWERED, passes, run_passes
from translate.pipeline import lowered, translate_module, with_limit
from translate.program import Program
from translate.spirv.module import SpirvModule


def dump_ir(program: Program, options: Options, last: str | None = None) -> str:
    """The IR, locations included, after the pass named `last`, or after all passes.

    "lowering" is what the passes begin with. Raises TranslateError for a name that no pass has.
    """
    options = with_limit(program, options)
    module = lowered(program, options)
    run_passes(module, options, last)
    return print_module(module, locations=True)


def translate_ir(text: str, options: Options, file: str | None = None) -> SpirvModule:
    """Translate what `dump_ir` gave: the passes after the one that the text names, and emission.

    The text says nothing of the options that it was made with. Raises AssemblyError for malformed
    text, VerifyError for a module that breaks the IR's rules.
    """
    module = parse_module(text, file)
    stages = {LOWERED: Stage.LOWERED, **{one.name: one.stage for one in passes(options)}}
    verify(module, stages.get(module.after or LOWERED))
    return translate_module(module, options)
