"""Control flow; messages for the host: `printf`, `errorf` and `abort`, which ends a thread.

Lowering rebuilds the structure from each row's `flow`. In containers, `printf` and `errorf` are
custom data. Source: FS §22.7; d3d12TokenizedProgramFormat.hpp (TPF), "Shader Message"; numbers:
d3d11sdklayers.h; containers of fxc 10.1.
"""

from __future__ import annotations

from translate.isa.declarations import CUSTOM_DATA
from translate.isa.instruction import (
    SM4,
    SM5,
    TEST,
    Control,
    Flow,
    Instruction,
    Kind,
    Role,
    Scalar,
    Spec,
    src,
)
from translate.isa.registers import RegisterFile

_CONDITION = src(Scalar.U32, "condition", 1)
_SUBROUTINES = (RegisterFile.LABEL, RegisterFile.FUNCTION_BODY)
_LABEL = Spec(Role.LABEL, Scalar.BITS, "label", files=_SUBROUTINES)
_METHOD = Spec(Role.LABEL, Scalar.BITS, "method", files=(RegisterFile.INTERFACE,))


def _flow(
    name: str,
    opcode: int,
    flow: Flow,
    operands: tuple[Spec, ...] = (),
    controls: tuple[Control, ...] = (),
    since: tuple[int, int] = SM4,
    extras: tuple[str, ...] = (),
    long_form: bool = False,
    aliases: tuple[str, ...] = (),
) -> Instruction:
    return Instruction(
        name=name,
        opcode=opcode,
        kind=Kind.FLOW,
        operands=operands,
        since=since,
        controls=controls,
        flow=flow,
        extras=extras,
        long_form=long_form,
        aliases=aliases,
        source="FS §22.7",
    )


FLOW = (
    _flow("if", 0x1F, Flow.IF, (_CONDITION,), (TEST,)),
    _flow("else", 0x12, Flow.ELSE),
    _flow("endif", 0x15, Flow.ENDIF),
    _flow("loop", 0x30, Flow.LOOP),
    _flow("endloop", 0x16, Flow.ENDLOOP),
    _flow("break", 0x02, Flow.BREAK),
    _flow("breakc", 0x03, Flow.BREAK, (_CONDITION,), (TEST,), aliases=("breakp",)),
    _flow("continue", 0x07, Flow.CONTINUE),
    _flow("continuec", 0x08, Flow.CONTINUE, (_CONDITION,), (TEST,)),
    _flow("switch", 0x4C, Flow.SWITCH, (src(Scalar.U32, "selector", 1),)),
    _flow("case", 0x06, Flow.CASE, (src(Scalar.U32, "literal", 1),)),
    _flow("default", 0x0A, Flow.DEFAULT),
    _flow("endswitch", 0x17, Flow.ENDSWITCH),
    _flow("ret", 0x3E, Flow.RETURN),
    _flow("retc", 0x3F, Flow.RETURN, (_CONDITION,), (TEST,), aliases=("retp",)),
    _flow("call", 0x04, Flow.CALL, (_LABEL,)),
    _flow("callc", 0x05, Flow.CALL, (_CONDITION, _LABEL), (TEST,)),
    _flow("label", 0x2C, Flow.LABEL, (_LABEL,)),
    _flow("fcall", 0x78, Flow.INTERFACE_CALL, (_METHOD,), since=SM5, extras=("call_site",),
          long_form=True),
    Instruction(name="nop", opcode=0x3A, kind=Kind.NOTHING, source="FS §22.7.18"),
)  # fmt: skip


CUSTOM_DATA_MESSAGE = 4  # class in bits [31:11] of a custom-data token
PRINTF_FORMAT = 1  # the kind of message: a format string with arguments


def _message(name: str, number: int) -> Instruction:
    return Instruction(
        name=name,
        opcode=CUSTOM_DATA.opcode,
        kind=Kind.MESSAGE,
        operands=(src(Scalar.BITS, "argument", 1),),
        source='TPF "Shader Message"',
        variadic=True,
        message=number,
    )


MESSAGES = (
    Instruction(
        name="abort",
        opcode=0xCF,
        kind=Kind.MESSAGE,
        flow=Flow.ABORT,
        source="TPF D3D11_SB_OPCODE_ABORT",
    ),
    _message("printf", 0x200102),
    _message("errorf", 0x200103),
)
