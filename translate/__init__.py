"""Direct3D Shader Model 4/5 compute shaders to SPIR-V: the public face.

program = translate.load("blur.dxbc")
module = translate.to_spirv(program, translate.Options(guards="d3d"))
"""

from __future__ import annotations

from translate.api import assemble, disassemble, load, to_spirv
from translate.errors import (
    AssemblyError,
    DecodeError,
    TranslateError,
    UnsupportedError,
    VerifyError,
    Where,
)
from translate.interface import Binding, ShaderInterface
from translate.linkage import ClassInstance
from translate.options import Options
from translate.program import Program, Statement
from translate.spirv.module import SpirvModule

__all__ = [
    "AssemblyError",
    "Binding",
    "ClassInstance",
    "DecodeError",
    "Options",
    "Program",
    "ShaderInterface",
    "SpirvModule",
    "Statement",
    "TranslateError",
    "UnsupportedError",
    "VerifyError",
    "Where",
    "assemble",
    "disassemble",
    "load",
    "to_spirv",
]
