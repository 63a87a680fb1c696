"""The IR's operations, one row each.

Pure operations have their rows in `ir.integers`, `ir.bits` and `ir.floats`, all others in
`ir.effects`. mypyc compiles these four, and an operation that is named as `ops.IADD` is a constant
there.

A module is a list of blocks of values in SSA form with structured control flow: `if`, `loop` and
`switch` own their blocks, and block parameters take the place of other IRs' phis (loops, switch
cases) and results (`result` values of the construct).
"""

from __future__ import annotations

from translate.ir.bits import *  # noqa: F403
from translate.ir.effects import *  # noqa: F403
from translate.ir.floats import *  # noqa: F403
from translate.ir.integers import *  # noqa: F403
from translate.ir.row import Effect, Generic, Op, Stage

__all__ = ["COMPUTING", "OPS", "PURE", "Effect", "Generic", "Op", "Stage"]

OPS: dict[str, Op] = {op.name: op for op in (*globals().values(),) if isinstance(op, Op)}
PURE: list[Op] = [op for op in OPS.values() if op.evaluate is not None]
# Operations without effects besides their result
COMPUTING = frozenset(op for op in OPS.values() if op.effect in (Effect.PURE, Effect.READS))
