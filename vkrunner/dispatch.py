"""One dispatch: upload, run, download, in one submission, and how long the run took."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from vkrunner import vk
from vkrunner.bound import Bound
from vkrunner.errors import ArgumentError, LimitError
from vkrunner.images import ImageCopy
from vkrunner.logical import QUERY_COUNT, LogicalDevice
from vkrunner.memory import (
    AFTER_ALL,
    AFTER_COPY,
    AFTER_SHADER,
    BEFORE_COPY,
    BEFORE_HOST,
    BEFORE_SHADER,
    Storage,
    record_barrier,
)
from vkrunner.pipeline import Pipeline

D3D_MAX_GROUPS = 65535  # D3D11_CS_DISPATCH_MAX_THREAD_GROUPS_PER_DIMENSION
_QUERY_BYTES = 8


def check_groups(logical: LogicalDevice, groups: Any) -> tuple[int, int, int]:
    """Thread groups in x, y, z; a number alone is x.

    Raises ArgumentError for what is no such number, LimitError for more than D3D or the device
    allows. 0 is allowed, and runs nothing.
    """
    several = isinstance(groups, (tuple, list))
    sizes = tuple(cast("Sequence[Any]", groups)) if several else (groups,)
    if not 1 <= len(sizes) <= 3 or not all(_is_count(n) for n in sizes):
        raise ArgumentError(f"groups are up to three whole numbers from 0 on, not {groups!r}")
    x, y, z = (int(n) for n in (*sizes, 1, 1)[:3])
    for axis, count, most in zip(
        "xyz", (x, y, z), logical.info.limits.max_workgroup_count, strict=True
    ):
        if count > D3D_MAX_GROUPS:
            raise LimitError(f"{count} groups in {axis}: D3D allows {D3D_MAX_GROUPS}")
        if count > most:
            raise LimitError(f"{count} groups in {axis}: {logical.info.name} allows {most}")
    return x, y, z


def _is_count(value: Any) -> bool:
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        return False
    return value.__index__() >= 0


def run(
    logical: LogicalDevice,
    pipeline: Pipeline,
    bound: Sequence[Bound],
    groups: tuple[int, int, int],
    timeout_ns: int,
) -> int | None:
    """Dispatch and wait; gives the device's time in ns, None where it has no clock.

    Afterwards what is transient and was written has its results on the host's side.
    """
    logical.check_open()
    pipeline.write_descriptors(bound)
    images = [b.copy for b in bound if b.copy]
    uploads = [b.storage for b in bound if b.storage and b.transient and b.storage.staged]
    downloads = _downloads(bound)
    clock = _Clock(logical) if logical.info.features.timestamps else None

    def record(commands: Any) -> None:
        for copy in images:
            copy.image.record_start(commands)
        for upload in (*uploads, *images):
            upload.record_upload(commands)
        record_barrier(commands, AFTER_ALL, BEFORE_SHADER)
        if clock is not None:
            clock.record_start(commands)
        pipeline.record(commands, groups)
        if clock is not None:
            clock.record_end(commands)
        record_barrier(commands, AFTER_SHADER, BEFORE_COPY if downloads else BEFORE_HOST)
        for download in downloads:
            download.record_download(commands)
        if downloads:
            record_barrier(commands, AFTER_COPY, BEFORE_HOST)

    logical.execute(record, timeout_ns)
    return clock.duration_ns() if clock is not None else None


def _downloads(bound: Sequence[Bound]) -> list[Storage | ImageCopy]:
    """What has to be copied for the host to see what the shader wrote."""
    returned = [b for b in bound if b.is_returned]
    buffers = [b.storage for b in returned if b.storage and b.storage.staged]
    return [*buffers, *(b.copy for b in returned if b.copy)]


class _Clock:
    """Two timestamps around a dispatch, each taken when all before it has ended."""

    def __init__(self, logical: LogicalDevice):
        self._logical = logical

    def record_start(self, commands: Any) -> None:
        vk.lib().vkCmdResetQueryPool(commands, self._logical.queries, 0, QUERY_COUNT)
        self._record(commands, 0)

    def record_end(self, commands: Any) -> None:
        self._record(commands, 1)

    def _record(self, commands: Any, query: int) -> None:
        stage = vk.flags("VK_PIPELINE_STAGE", "BOTTOM_OF_PIPE")
        vk.lib().vkCmdWriteTimestamp(commands, stage, self._logical.queries, query)

    def duration_ns(self) -> int:
        ticks = vk.ffi().new("uint64_t[]", QUERY_COUNT)
        flags = vk.flags("VK_QUERY_RESULT", "64", "WAIT")
        device, queries = self._logical.handle, self._logical.queries
        size = QUERY_COUNT * _QUERY_BYTES
        vk.call(
            "vkGetQueryPoolResults",
            device,
            queries,
            0,
            QUERY_COUNT,
            size,
            ticks,
            _QUERY_BYTES,
            flags,
        )
        elapsed = (ticks[1] - ticks[0]) & self._logical.timestamp_mask
        return round(elapsed * self._logical.info.limits.timestamp_period_ns)
