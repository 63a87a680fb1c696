"""Faults in the front ends: containers, tokens, listings, reflection."""

from __future__ import annotations

from ..fault import Fault

DXBC, ASM = "tests/unit/dxbc", "tests/unit/asm"

FAULTS = (
    Fault(
        "translate/dxbc/tokens.py",
        "negative texel offsets are read as positive ones",
        "return value - 2 * (value & sign)",
        "return value",
        DXBC,
    ),
    Fault(
        "translate/dxbc/tokens.py",
        "the last two letters of a swizzle exchanged",
        "SWIZZLE = (Bits(4, 2), Bits(6, 2), Bits(8, 2), Bits(10, 2))",
        "SWIZZLE = (Bits(4, 2), Bits(6, 2), Bits(10, 2), Bits(8, 2))",
        DXBC,
    ),
    Fault(
        "translate/dxbc/operands.py",
        "a 64-bit index loses its high dword",
        "immediate = (immediate or 0) << 32 | _word(words, position, end)",
        "immediate = _word(words, position, end)",
        DXBC,
    ),
    Fault(
        "translate/dxbc/operands.py",
        "the last dword of an immediate may be missing",
        "if len(values) < shape.immediates:",
        "if len(values) + 1 < shape.immediates:",
        DXBC,
    ),
    Fault(
        "translate/dxbc/decode.py",
        "an instruction may reach beyond the program's end",
        "if position + length > self.end:",
        "if position > self.end:",
        DXBC,
    ),
    Fault(
        "translate/dxbc/container.py",
        "chunks may share their bytes",
        "        if free < 0:\n",
        "        if free < -len(data):\n",
        DXBC,
    ),
    Fault(
        "translate/dxbc/checksum.py",
        "the digest's padding ends without its lowest bit",
        "(length * 2 | 1) & _MASK",
        "(length * 2) & _MASK",
        DXBC,
    ),
    Fault(
        "translate/dxbc/pdb.py",
        "an instruction at a line's start belongs to the line before",
        "index = bisect_right(self.offsets, offset) - 1",
        "index = bisect_left(self.offsets, offset) - 1",
        DXBC,
    ),
    Fault(
        "translate/dxbc/ifce.py",
        "an instance without a texture has register 65535",
        "*(0 if number == _NONE else number for number in places)",
        "*places",
        DXBC,
    ),
    Fault(
        "translate/dxbc/rdef.py",
        "a type's rows and columns exchanged",
        "result = Type(klass, base, rows, columns, elements, tuple(members), name)",
        "result = Type(klass, base, columns, rows, elements, tuple(members), name)",
        DXBC,
    ),
    Fault(
        "translate/dxbc/contents.py",
        "the ninth UAV asks for no feature",
        "_UAVS_OF_11_0 = 8",
        "_UAVS_OF_11_0 = 9",
        DXBC,
    ),
    Fault(
        "translate/asm/operands.py",
        "-| | is read as | |",
        '("-", "|"): Modifier.NEG_ABS',
        '("-", "|"): Modifier.ABS',
        ASM,
    ),
    Fault(
        "translate/asm/literals.py",
        "floats are rounded twice",
        "return other_bits if (exact > halfway) == away else bits",
        "return bits",
        ASM,
    ),
    Fault(
        "translate/asm/literals.py",
        "negative integers are printed in hexadecimal",
        "signed = bits - 2 * (bits & _SIGN)",
        "signed = bits",
        ASM,
    ),
    Fault(
        "translate/asm/parser.py",
        "[precise(xy)] covers all components",
        "        mask |= 1 << COMPONENTS.index(letter)\n",
        "        mask |= 15\n",
        ASM,
    ),
    Fault(
        "translate/asm/header_types.py",
        "members count from their buffer's start",
        "Member(name, at - offset, kind)",
        "Member(name, at, kind)",
        ASM,
    ),
    Fault(
        "translate/reflection/dtypes.py",
        "rows of matrices in constant buffers are packed tightly",
        'return _structure([(f"r{i}", row, i * step) for i in range(outer)], total)',
        "return np.dtype((scalar, (outer, inner)))",
        "tests/unit/test_reflection.py",
    ),
    Fault(
        "translate/reflection/dtypes.py",
        "a field may end outside of its structure",
        "if max(ends) > size or sizes > size:",
        "if sizes > size:",
        "tests/unit/test_reflection.py",
    ),
)
