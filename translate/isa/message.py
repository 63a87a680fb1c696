"""Messages for the host: `abort`, and `printf` and `errorf`, which are custom data in containers.

Source: d3d12TokenizedProgramFormat.hpp (TPF), "Shader Message"; numbers: d3d11sdklayers.h;
containers of fxc 10.1.
"""

from __future__ import annotations

from translate.isa.declarations import CUSTOM_DATA
from translate.isa.instruction import Flow, Instruction, Kind, Scalar, src

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


ROWS = (
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
