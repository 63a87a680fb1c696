"""RootSignature: where a D3D12 program gets its resources and samplers from (chunk RTS0)."""

from __future__ import annotations

from translate.dataclass import dataclass

_EVERY_MIP = 1000  # no texture has so many


@dataclass(frozen=True, slots=True)
class StaticSampler:
    """A static sampler of a root signature (D3D12_STATIC_SAMPLER_DESC), in Device.sampler's words.

    Attributes
    ----------
    number : int
        The number of its register: 1 for `s1`.
    space : int
        The register's space.
    filter : tuple of str
        point or linear, for minification, magnification and mips.
    address : tuple of str
        wrap, mirror, clamp, border or mirror_once, for u, v and w.
    comparison : str or None
        less, less_equal, ... for a comparison sampler; None for others.
    reduction : str or None
        minimum or maximum, if the sampler gives that of its texels.
    border : tuple of float
        The border's red, green, blue and alpha.
    min_lod, max_lod, lod_bias : float
        The range of the level of detail, and the bias that is added to it first.
    max_anisotropy : int
        1 if the filter is not anisotropic.
    """

    number: int
    space: int
    filter: tuple[str, str, str]
    address: tuple[str, str, str]
    comparison: str | None = None
    reduction: str | None = None
    border: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    min_lod: float = 0.0
    max_lod: float = 0.0
    lod_bias: float = 0.0
    max_anisotropy: int = 1

    def __str__(self) -> str:
        """A readable line: `filter point, address border, border 1`."""
        rows: list[tuple[str, tuple[object, ...]]] = [
            ("filter", self.filter),
            ("address", self.address),
            ("comparison", (self.comparison,)),
            ("reduction", (self.reduction,)),
            ("border", self.border if "border" in self.address else (None,)),
            ("min_lod", (self.min_lod or None,)),
            ("max_lod", (self.max_lod if self.max_lod < _EVERY_MIP else None,)),
            ("lod_bias", (self.lod_bias or None,)),
            ("max_anisotropy", (self.max_anisotropy if self.max_anisotropy > 1 else None,)),
        ]
        return ", ".join(f"{name} {_text(values)}" for name, values in rows if values != (None,))


def _text(values: tuple[object, ...]) -> str:
    """The values, or one of them if all are equal."""
    shown = values[:1] if len({*values}) == 1 else values
    return " ".join(f"{one:g}" if isinstance(one, float) else str(one) for one in shown)


@dataclass(frozen=True, slots=True)
class RootParameter:
    """A parameter of a root signature.

    Attributes
    ----------
    kind : str
        table (of descriptors), constants or descriptor.
    registers : tuple of str
        `t0`, `u1_space2`; for several descriptors the first and the last, `t0-t3`, and for any
        number `t0-`.
    dwords : int or None
        The number of constants in dwords; None for other parameters.
    """

    kind: str
    registers: tuple[str, ...]
    dwords: int | None = None

    def __str__(self) -> str:
        size = f" ({self.dwords} dwords)" if self.dwords is not None else ""
        return f"{self.kind} {', '.join(self.registers)}{size}"


@dataclass(frozen=True, slots=True)
class RootSignature:
    """The parameters and static samplers of a root signature, in its order.

    Attributes
    ----------
    parameters : tuple of RootParameter
        The descriptor tables, root constants and root descriptors that the program binds.
    samplers : tuple of StaticSampler
        The samplers that the signature fixes.
    """

    parameters: tuple[RootParameter, ...] = ()
    samplers: tuple[StaticSampler, ...] = ()
