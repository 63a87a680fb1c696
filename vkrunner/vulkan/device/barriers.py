"""Barriers between the steps of a command buffer, computed from the resources that they use.

Source: Vulkan specification, "Synchronization and Cache Control".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from vkrunner.vulkan.loader import vk

# (stages, accesses) of the two scopes of a barrier
Side = tuple[tuple[str, ...], tuple[str, ...]]
SHADER, COPY, INDIRECT = "COMPUTE_SHADER", "TRANSFER", "DRAW_INDIRECT"
AFTER_SHADER: Side = ((SHADER,), ("SHADER_WRITE",))
AFTER_COPY: Side = ((COPY,), ("TRANSFER_WRITE",))
AFTER_ALL: Side = ((SHADER, COPY, INDIRECT), ("SHADER_WRITE", "TRANSFER_WRITE"))
BEFORE_COPY: Side = ((COPY,), ("TRANSFER_READ", "TRANSFER_WRITE"))
BEFORE_HOST: Side = (("HOST",), ("HOST_READ",))
BEFORE_ALL: Side = (
    (SHADER, COPY, INDIRECT),
    (
        *("SHADER_READ", "SHADER_WRITE", "UNIFORM_READ"),
        *("TRANSFER_READ", "TRANSFER_WRITE", "INDIRECT_COMMAND_READ"),
    ),
)

_WRITES = {SHADER: "SHADER_WRITE", COPY: "TRANSFER_WRITE"}
Span = tuple[int, int]  # first and end


@dataclass(frozen=True, slots=True)
class ResourceUse:
    """The use of a part of one resource by a step; a token names the resource.

    `spans` are the bytes of a buffer, or the mips and layers of an image; `stage` is SHADER, COPY
    or INDIRECT.
    """

    token: int
    spans: tuple[Span, ...]
    writes: bool
    stage: str = SHADER

    def conflicts(self, other: ResourceUse) -> bool:
        """Whether two uses of one resource must stay in order."""
        if not (self.writes or other.writes):
            return False
        pairs = zip(self.spans, other.spans, strict=True)
        return all(ours[0] < theirs[1] and theirs[0] < ours[1] for ours, theirs in pairs)


@dataclass
class Hazards:
    """The uses of resources since the last barrier."""

    _pending: dict[int, list[ResourceUse]] = field(default_factory=dict[int, list[ResourceUse]])

    def barrier_before(self, uses: Sequence[ResourceUse]) -> Side | None:
        """The accesses that a barrier before a step must wait for; None if no barrier is needed.

        The caller has to record the barrier, with BEFORE_ALL as its second scope.
        """
        after = self._waited_for() if any(self._conflicts(use) for use in uses) else None
        if after is not None:
            self._pending.clear()
        for use in uses:
            self._pending.setdefault(use.token, []).append(use)
        return after

    def _conflicts(self, use: ResourceUse) -> bool:
        return any(use.conflicts(earlier) for earlier in self._pending.get(use.token, ()))

    def _waited_for(self) -> Side:
        uses = [use for several in self._pending.values() for use in several]
        stages = sorted({use.stage for use in uses})
        return tuple(stages), tuple(sorted({_WRITES[use.stage] for use in uses if use.writes}))


def tokens_of(uses: Iterable[ResourceUse]) -> frozenset[int]:
    """The tokens of the used resources."""
    return frozenset(use.token for use in uses)


def record_barrier(commands: vk.Handle, after: Side, before: Side) -> None:
    """Order all memory accesses of `after` before those of `before`."""
    barrier = vk.struct(
        "VkMemoryBarrier",
        srcAccessMask=vk.flags("VK_ACCESS", *after[1]),
        dstAccessMask=vk.flags("VK_ACCESS", *before[1]),
    )
    stages = [vk.flags("VK_PIPELINE_STAGE", *side[0]) for side in (after, before)]
    null = vk.ffi().NULL
    vk.lib().vkCmdPipelineBarrier(commands, *stages, 0, 1, barrier, 0, null, 0, null)
