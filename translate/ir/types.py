"""The IR's types: scalars, and the four-component texel that image operations deliver.

Signedness belongs to operations, not to types (`slt`, `ult`), so there is one integer type; D3D's
masks (~0 or 0) are U32 values made from BOOL by `mask`.
"""

from __future__ import annotations

from enum import Enum


class Type(Enum):
    """A value's type; `bits` is 0 for types without a size."""

    text: str
    bits: int

    def __init__(self, text: str, bits: int):
        self.text = text
        self.bits = bits

    VOID = ("void", 0)
    BOOL = ("bool", 0)
    U32 = ("u32", 32)
    F32 = ("f32", 32)
    F64 = ("f64", 64)
    TEXEL_F32 = ("texel.f32", 128)
    TEXEL_U32 = ("texel.u32", 128)
    TEXEL_I32 = ("texel.i32", 128)

    def __repr__(self) -> str:
        return self.text

    # Members are singletons; the default goes through Python code and shows in profiles.
    __hash__ = object.__hash__


VOID = Type.VOID
BOOL = Type.BOOL
U32 = Type.U32
F32 = Type.F32
F64 = Type.F64

TEXELS: dict[str, Type] = {
    "float": Type.TEXEL_F32,
    "uint": Type.TEXEL_U32,
    "sint": Type.TEXEL_I32,
}
