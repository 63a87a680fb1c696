"""What listings cost that are made to cost much: processor time, memory, words of SPIR-V.

Each is translated in a process of its own, without validation; 0 words are a refusal.
"""

from __future__ import annotations

from ..heavy.listings import FAMILIES
from ..heavy.measure import measure as measure_listing
from .figures import Row

TITLE = "heavy listings"


def measure(scale: float) -> list[Row]:
    rows: list[Row] = []
    for name, (family, count) in FAMILIES.items():
        cost = measure_listing(family(max(2, round(count * scale))))
        figures = {"KB": cost.bytes / 1000, "s": cost.seconds, "MB": cost.megabytes}
        rows.append(Row(name, {**figures, "words": cost.words}))
    return rows
