"""Declarations. Source: FS §22.3, TPF "Declarations".

`syntax` is the text after the name in a listing. Its fields in braces are fields of the token or of
the following dwords, which `asm` prints and parses. Rows share fields, so a new declaration needs
code elsewhere only for a new field.
"""

from __future__ import annotations

from translate.isa import declare
from translate.isa.instruction import (
    SM4,
    SM5,
    Control,
    Instruction,
    Kind,
    Lower,
    Role,
    Scalar,
    Spec,
)
from translate.isa.registers import RegisterFile

GLOBALLY_COHERENT = Control("glc", 16, ("", "_glc"))
RASTERIZER_ORDERED = Control("rov", 17, ("", "_rov"))
ORDER_PRESERVING_COUNTER = Control("opc", 23, ("", "_opc"))
DYNAMIC_INDEX = Control("dynamic", 11, ("", "_dynamicindexed"))
ACCESS_PATTERN = Control("access", 11, ("immediateIndexed", "dynamicIndexed"))
DIMENSION_SHIFT, DIMENSION_BITS = 11, 5
SAMPLE_COUNT_SHIFT, SAMPLE_COUNT_BITS = 16, 7
SAMPLER_MODE_SHIFT, SAMPLER_MODE_BITS = 11, 4
CUSTOM_DATA_ICB = 3  # class in bits [31:11] of a custom-data token

# (bit, name), in the order of listings
GLOBAL_FLAGS: tuple[tuple[int, str], ...] = (
    (11, "refactoringAllowed"),
    (12, "enableDoublePrecisionFloatOps"),
    (14, "enableRawAndStructuredBuffers"),
    (13, "forceEarlyDepthStencil"),
    (15, "skipOptimization"),
    (16, "enableMinimumPrecision"),
    (17, "enable11_1DoubleExtensions"),
    (18, "enable11_1ShaderExtensions"),
    (19, "allResourcesBound"),
)

_INPUTS = (
    RegisterFile.THREAD_ID,
    RegisterFile.THREAD_GROUP_ID,
    RegisterFile.THREAD_ID_IN_GROUP,
    RegisterFile.THREAD_ID_IN_GROUP_FLATTENED,
    RegisterFile.CYCLE_COUNTER,
)


def _declaration(
    name: str,
    opcode: int,
    syntax: str,
    source: str,
    *,
    files: tuple[RegisterFile, ...] = (),
    extras: tuple[str, ...] = (),
    extras_51: tuple[str, ...] | None = None,
    controls: tuple[Control, ...] = (),
    since: tuple[int, int] = SM4,
    long_form: bool = False,
    aliases: tuple[str, ...] = (),
    lower: Lower = declare.nothing,
) -> Instruction:
    return Instruction(
        name=name,
        opcode=opcode,
        kind=Kind.DECLARATION,
        operands=(Spec(Role.DECLARED, Scalar.BITS, "register", files=files),) if files else (),
        since=since,
        source=source,
        controls=controls,
        syntax=syntax,
        extras=extras,
        extras_51=extras_51,
        long_form=long_form,
        aliases=aliases,
        lower=lower,
    )


DCL_RESOURCE = _declaration(
    "dcl_resource", 0x58, "_{dimension}{samples} {returns} {register}{space}", "FS §22.3.12",
    files=(RegisterFile.RESOURCE,), lower=declare.resource_typed,
    extras=("returns",), extras_51=("returns", "space"),
)  # fmt: skip
DCL_CONSTANT_BUFFER = _declaration(
    "dcl_constantbuffer", 0x59, " {register}, {access}{space}", "FS §22.3.3",
    files=(RegisterFile.CONSTANT_BUFFER,), lower=declare.constant_buffer,
    extras_51=("size", "space"), controls=(ACCESS_PATTERN,), aliases=("dcl_constantBuffer",),
)  # fmt: skip
DCL_SAMPLER = _declaration(
    "dcl_sampler", 0x5A, " {register}{sampler_mode}{space}", "FS §22.3.34",
    files=(RegisterFile.SAMPLER,), lower=declare.sampler,
    extras_51=("space",),
)  # fmt: skip
DCL_INPUT = _declaration("dcl_input", 0x5F, " {register}", "FS §22.3.30", files=_INPUTS)
DCL_TEMPS = _declaration(
    "dcl_temps",
    0x68,
    " {count}",
    "FS §22.3.35",
    lower=declare.temps,
    extras=("count",),
)
DCL_INDEXABLE_TEMP = _declaration(
    "dcl_indexableTemp", 0x69, " x{number}[{length}], {components}", "FS §22.3.36",
    lower=declare.indexable_temp,
    extras=("number", "length", "components"),
)  # fmt: skip
DCL_GLOBAL_FLAGS = _declaration("dcl_globalFlags", 0x6A, "{flags}", "FS §22.3.2")
DCL_FUNCTION_BODY = _declaration(
    "dcl_function_body", 0x90, " fb{number}", "FS §22.3.48",
    extras=("number",), since=SM5, long_form=True,
)  # fmt: skip
DCL_FUNCTION_TABLE = _declaration(
    "dcl_function_table", 0x91, " ft{number} = {bodies}", "FS §22.3.49",
    lower=declare.function_table,
    extras=("number", "bodies"), since=SM5, long_form=True,
)  # fmt: skip
DCL_INTERFACE = _declaration(
    "dcl_interface", 0x92, "{dynamic} fp{number}{call_sites} = {tables}", "FS §22.3.50",
    lower=declare.interface,
    extras=("number", "call_sites", "tables"), since=SM5, long_form=True,
    controls=(DYNAMIC_INDEX,),
)  # fmt: skip
DCL_THREAD_GROUP = _declaration(
    "dcl_thread_group",
    0x9B,
    " {x}, {y}, {z}",
    "FS §22.3.43",
    lower=declare.thread_group,
    extras=("x", "y", "z"),
)
DCL_UAV_TYPED = _declaration(
    "dcl_uav_typed", 0x9C, "_{dimension}{glc}{rov} {returns} {register}{space}", "FS §22.3.37",
    files=(RegisterFile.UAV,), lower=declare.uav_typed,
    extras=("returns",), extras_51=("returns", "space"), since=SM5,
    controls=(GLOBALLY_COHERENT, RASTERIZER_ORDERED),
)  # fmt: skip
DCL_UAV_RAW = _declaration(
    "dcl_uav_raw", 0x9D, "{glc}{rov} {register}{space}", "FS §22.3.38",
    files=(RegisterFile.UAV,), lower=declare.uav_raw,
    extras_51=("space",), controls=(GLOBALLY_COHERENT, RASTERIZER_ORDERED),
)  # fmt: skip
DCL_UAV_STRUCTURED = _declaration(
    "dcl_uav_structured", 0x9E, "{glc}{opc}{rov} {register}, {stride}{space}", "FS §22.3.39",
    files=(RegisterFile.UAV,), lower=declare.uav_structured,
    extras=("stride",), extras_51=("stride", "space"),
    controls=(GLOBALLY_COHERENT, RASTERIZER_ORDERED, ORDER_PRESERVING_COUNTER),
)  # fmt: skip
DCL_TGSM_RAW = _declaration(
    "dcl_tgsm_raw",
    0x9F,
    " {register}, {size}",
    "FS §22.3.40",
    files=(RegisterFile.GROUP_SHARED,),
    lower=declare.tgsm_raw,
    extras=("size",),
    since=SM5,
)
DCL_TGSM_STRUCTURED = _declaration(
    "dcl_tgsm_structured", 0xA0, " {register}, {stride}, {count}", "FS §22.3.41",
    files=(RegisterFile.GROUP_SHARED,), lower=declare.tgsm_structured,
    extras=("stride", "count"),
)  # fmt: skip
DCL_RESOURCE_RAW = _declaration(
    "dcl_resource_raw",
    0xA1,
    " {register}{space}",
    "FS §22.3.13",
    files=(RegisterFile.RESOURCE,),
    lower=declare.resource_raw,
    extras_51=("space",),
)
DCL_RESOURCE_STRUCTURED = _declaration(
    "dcl_resource_structured", 0xA2, " {register}, {stride}{space}", "FS §22.3.14",
    files=(RegisterFile.RESOURCE,), lower=declare.resource_structured,
    extras=("stride",), extras_51=("stride", "space"),
)  # fmt: skip
CUSTOM_DATA = _declaration(
    "dcl_immediateConstantBuffer",
    0x35,
    " {vectors}",
    "FS §22.3.4",
    lower=declare.immediate_constant_buffer,
)

DECLARATIONS = (
    DCL_RESOURCE, DCL_CONSTANT_BUFFER, DCL_SAMPLER, DCL_INPUT, DCL_TEMPS, DCL_INDEXABLE_TEMP,
    DCL_GLOBAL_FLAGS, DCL_FUNCTION_BODY, DCL_FUNCTION_TABLE, DCL_INTERFACE, DCL_THREAD_GROUP,
    DCL_UAV_TYPED, DCL_UAV_RAW, DCL_UAV_STRUCTURED, DCL_TGSM_RAW, DCL_TGSM_STRUCTURED,
    DCL_RESOURCE_RAW, DCL_RESOURCE_STRUCTURED, CUSTOM_DATA,
)  # fmt: skip
