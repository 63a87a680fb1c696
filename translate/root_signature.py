"""RootSignature: where a D3D12 program gets its resources and samplers from (chunk RTS0)."""

from __future__ import annotations

from translate.dataclass import dataclass
from translate.interface.static_sampler import StaticSampler


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
