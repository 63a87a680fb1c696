"""The cost of listings that are made to be expensive: CPU time, memory, words of SPIR-V.

Each is translated in its own process, without validation; 0 words mean that it was refused.
They are compiled too: "driver s" is the CPU time of the driver's compiler.
"""

from __future__ import annotations

from checks.heavy.variants import VARIANTS
from checks.heavy.verdicts import judge

from .figures import Row

TITLE = "heavy listings"


def measure(scale: float) -> list[Row]:
    rows: list[Row] = []
    for name in list(VARIANTS)[: max(1, round(len(VARIANTS) * scale))]:
        outcome = judge(VARIANTS[name])
        cost, compiled = outcome.cost, outcome.compiled
        figures = {"KB": cost.bytes / 1000, "s": cost.seconds, "MB": cost.megabytes}
        figures |= {"words": cost.words}
        if compiled is not None and not compiled.refused:
            figures |= {"driver s": compiled.seconds}
        rows.append(Row(name, figures))
    return rows
