"""Barriers that only some threads of a group reach."""

from __future__ import annotations

import numpy as np

from translate.isa.instruction import Lanes
from translate.reference.findings import DivergentBarrier
from translate.reference.report import Reporter


def report_absent(reporter: Reporter, lanes: Lanes) -> None:
    """Report each group with only some of its threads in `lanes`, which are at a barrier."""
    batch, findings, size = reporter.batch, reporter.findings, reporter.batch.group_size
    here = np.zeros(batch.lane_count, np.bool_)
    here[lanes] = True
    threads = here.reshape(-1, size)
    divided = np.flatnonzero(threads.any(axis=1) & ~threads.all(axis=1))
    arrived = divided * size + threads[divided].argmax(axis=1)
    missing = divided * size + (~threads[divided]).argmax(axis=1)
    left = batch.parted_at[missing]
    for instruction in np.unique(left).tolist():
        rows = np.flatnonzero(left == instruction)
        room = findings.room_for_barriers(reporter.instruction, instruction, len(rows))
        for row in rows[:room]:
            lane = int(arrived[row])
            findings.divergent_barriers.append(
                DivergentBarrier(
                    group=batch.group(lane),
                    arrived=reporter.participant(lane, reporter.instruction),
                    missing=reporter.participant(int(missing[row]), instruction),
                    absent=size - int(threads[divided[row]].sum()),
                )
            )
