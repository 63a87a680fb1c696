"""The buffer for a shader's messages; `translate.passes.guards.messages` describes its layout."""

from __future__ import annotations

import numpy as np

from translate.interface import MESSAGES, ShaderInterface
from vkrunner.values.arrays import Bytes
from vkrunner.vulkan.device.logical import LogicalDevice
from vkrunner.vulkan.encode.descriptor import Bound
from vkrunner.vulkan.loader.deletion import Deletions
from vkrunner.vulkan.objects.storage import StagingBuffer
from vkrunner.work.messages import MessageLog, record_words

_HEADER_WORDS = 8
_FIRST_ABORT = slice(2, 6)  # the words with the site and the thread of the first abort
_CUT_LOOP = 6  # the word with -(site + 1) of a loop that reached its limit, or 0


def bind_messages(
    logical: LogicalDevice,
    interface: ShaderInterface,
    bound: Bound,
    stack: Deletions,
    capacity: int,
) -> StagingBuffer | None:
    """Add a buffer for up to `capacity` messages to `bound`, and return it; `stack` frees it.

    Returns None if the shader sends no messages.
    """
    binding = next((b for b in interface if b.kind == MESSAGES), None)
    if binding is None:
        return None
    kept = capacity if interface.sends_messages else 0
    size = 4 * (_HEADER_WORDS + kept * record_words(interface))
    staging = StagingBuffer(logical, stack, size)
    bound.add_staged(binding, staging)
    return staging


def clear_messages(messages: StagingBuffer) -> None:
    """Empty the buffer, before a submission."""
    messages.incoming[: 4 * _HEADER_WORDS] = 0


def parse_messages(interface: ShaderInterface, data: Bytes) -> MessageLog:
    """Read a buffer of messages, u8[n]."""
    words, size = data.view(np.uint32), record_words(interface)
    total, abort_count = int(words[0]), int(words[1])
    count = min(total, (len(words) - _HEADER_WORDS) // size)
    rows = words[_HEADER_WORDS : _HEADER_WORDS + count * size].reshape(count, size)
    site, x, y, z = words[_FIRST_ABORT].tolist()
    first_abort = (site, (x, y, z)) if abort_count else None
    cut = -int(words[_CUT_LOOP].view(np.int32)) - 1 if words[_CUT_LOOP] else None
    return MessageLog(interface, rows.copy(), total, abort_count, first_abort, cut)
