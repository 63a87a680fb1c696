"""`sync`. Source: FS §22.17.7, §7.14."""

from __future__ import annotations

from translate.ir.builder import Builder
from translate.ir.memory import Barrier
from translate.isa.instruction import Control, Instruction, Kind

_UAV_GLOBAL = Control("uav_global", 14, ("", "_uglobal"))
_UAV_GROUP = Control("uav_group", 13, ("", "_ugroup"))
_SHARED = Control("shared", 12, ("", "_g"))
_THREADS = Control("threads", 11, ("", "_t"))


def lower_sync(b: Builder, flags: dict[str, int]) -> None:
    """Emit the barrier. Only `_uglobal` has device scope; `_ugroup` is for the thread group."""
    b.barrier(
        Barrier(
            shared_memory=bool(flags["shared"]),
            uav_memory=bool(flags["uav_global"] or flags["uav_group"]),
            device_scope=bool(flags["uav_global"]),
            threads=bool(flags["threads"]),
        )
    )


ROWS = (
    Instruction(
        name="sync",
        opcode=0xBE,
        kind=Kind.SYNC,
        controls=(_UAV_GLOBAL, _UAV_GROUP, _SHARED, _THREADS),
        lower=lower_sync,
        source="FS §22.17.7",
    ),
)
