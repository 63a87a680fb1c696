"""Translate Direct3D Shader Model 4/5 compute shaders to SPIR-V.

Each name is imported at its first use, so that `import translate` itself takes almost no time.

Examples
--------
>>> import translate
>>> program = translate.load("shaders/saxpy.dxbc")
>>> module = translate.to_spirv(program, translate.Options(guards="d3d"))
>>> module.interface.thread_group
(64, 1, 1)
"""

from __future__ import annotations

import importlib
import os
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from translate.api import assemble, disassemble, load, to_spirv
    from translate.choices import (
        DenormalMode,
        DenormalTest,
        ExactFunction,
        ExactSample,
        FloatControl,
        FormatName,
        GuardMode,
        IndexingFeature,
        Profile,
        RobustAccess,
        SamplingMode,
        SizeTables,
        Target,
        Workaround,
    )
    from translate.errors import (
        AssemblyError,
        CompileError,
        DecodeError,
        ListingWarning,
        OptionError,
        ProgramError,
        TranslateError,
        UnsupportedError,
        VerifyError,
        Where,
    )
    from translate.explanation import (
        ExplainedAccess,
        ExplainedFile,
        ExplainedLine,
        Explanation,
        explain,
    )
    from translate.hlsl.compiling import CompiledHlsl, compile_hlsl
    from translate.hlsl.options import HlslOptions, HlslOptionsDict
    from translate.interface import Binding, Constant, ShaderInterface
    from translate.linkage import ClassInstance
    from translate.options import Options, OptionsDict
    from translate.program import Program, Statement
    from translate.spirv.module import SpirvModule

__all__ = [
    "AssemblyError",
    "Binding",
    "ClassInstance",
    "CompileError",
    "CompiledHlsl",
    "Constant",
    "DecodeError",
    "DenormalMode",
    "DenormalTest",
    "ExactFunction",
    "ExactSample",
    "ExplainedAccess",
    "ExplainedFile",
    "ExplainedLine",
    "Explanation",
    "FloatControl",
    "FormatName",
    "GuardMode",
    "HlslOptions",
    "HlslOptionsDict",
    "IndexingFeature",
    "ListingWarning",
    "OptionError",
    "Options",
    "OptionsDict",
    "Profile",
    "Program",
    "ProgramError",
    "RobustAccess",
    "SamplingMode",
    "ShaderInterface",
    "SizeTables",
    "SpirvModule",
    "Statement",
    "Target",
    "TranslateError",
    "UnsupportedError",
    "VerifyError",
    "Where",
    "Workaround",
    "assemble",
    "compile_hlsl",
    "disassemble",
    "explain",
    "load",
    "to_spirv",
]

# PyPI has an unrelated package `translate`. Only its folder contains a file translate.py.
if os.path.exists(os.path.join(os.path.dirname(__file__), "translate.py")):
    import warnings

    warnings.warn(
        "the unrelated package `translate` is installed in the folder of sm5vk's own `translate`,"
        " and the two do not work together: pip uninstall translate,"
        " then pip install --force-reinstall --no-deps CLONE, the folder of sm5vk's clone",
        RuntimeWarning,
        stacklevel=2,
    )

# Source files may change after the import; the shader cache then ignores this process.
IMPORTED_NS = time.time_ns()

_HOMES = {
    "translate.api": ("assemble", "disassemble", "load", "to_spirv"),
    "translate.choices": (
        *("DenormalMode", "DenormalTest", "ExactFunction", "ExactSample", "FloatControl"),
        *(
            "FormatName",
            "GuardMode",
            "IndexingFeature",
            "Profile",
            "RobustAccess",
            "SamplingMode",
            "SizeTables",
            "Target",
        ),
        "Workaround",
    ),
    "translate.errors": (
        *("AssemblyError", "CompileError", "DecodeError", "ListingWarning", "OptionError"),
        *("ProgramError", "TranslateError", "UnsupportedError", "VerifyError", "Where"),
    ),
    "translate.explanation": (
        "ExplainedAccess",
        "ExplainedFile",
        "ExplainedLine",
        "Explanation",
        "explain",
    ),
    "translate.hlsl.compiling": ("CompiledHlsl", "compile_hlsl"),
    "translate.hlsl.options": ("HlslOptions", "HlslOptionsDict"),
    "translate.interface": ("Binding", "Constant", "ShaderInterface"),
    "translate.linkage": ("ClassInstance",),
    "translate.options": ("Options", "OptionsDict"),
    "translate.program": ("Program", "Statement"),
    "translate.spirv.module": ("SpirvModule",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> object:
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(importlib.import_module(home), name)
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, "reference"])
