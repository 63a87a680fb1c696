"""The number of thread groups of a dispatch: passed as integers, or read from a buffer."""

from __future__ import annotations

from collections.abc import Sequence
from reprlib import repr as shortened
from typing import Any, cast

import numpy as np

from translate.dataclass import dataclass
from vkrunner.errors import (
    InvalidValueError,
    LimitError,
    ShapeError,
    WrongTypeError,
    too_large,
)
from vkrunner.info.device_info import DeviceInfo
from vkrunner.info.faults import GROUP_COUNT
from vkrunner.resources.buffers import Buffer
from vkrunner.resources.device_objects import ObjectMaker, check_owner, object_of
from vkrunner.values.numbers import Array, is_integer

D3D_MAX_GROUPS = 65535  # D3D11_CS_DISPATCH_MAX_THREAD_GROUPS_PER_DIMENSION
# SwiftShader's 32-bit counter goes up in steps of 16.
_MOST_COUNTED = 2**32 - 16
INDIRECT_BYTES = 12  # three uint32: the groups in x, y and z

Groups = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Indirect:
    """Where the device reads the number of thread groups: three uint32 at byte `offset`."""

    buffer: Buffer
    offset: int

    @property
    def on_device(self) -> Any:
        """The backend's object for the buffer. Raises ArgumentError if the buffer is closed."""
        return object_of(self.buffer)


def groups_for(group: Groups, threads: Sequence[Any]) -> Groups:
    """The least numbers of groups of a size that have so many threads in x, y and z.

    Raises ArgumentError unless `threads` are one to three whole numbers.
    """
    for several in threads:
        if isinstance(several, (tuple, list, np.ndarray)) and not is_integer(several):
            kind: str = type(cast("object", several)).__name__
            advice = "pass kernel.groups_for(width, height), x first"
            raise WrongTypeError(f"threads are whole numbers, not a {kind}: {advice}")
    if not _are_counts(threads):
        raise InvalidValueError(f"threads are up to three whole numbers from 0 on, not {threads!r}")
    x, y, z = (-(-int(n) // size) for n, size in zip((*threads, 1, 1), group, strict=False))
    return x, y, z


def check_groups(info: DeviceInfo, groups: Any) -> tuple[int, int, int]:
    """The numbers of thread groups in x, y and z; a single number is x.

    Raises ArgumentError unless they are integers of 0 or more, and LimitError for more than D3D or
    the device allows. 0 groups run nothing.
    """
    given: Any = cast("Array", groups).tolist() if isinstance(groups, np.ndarray) else groups
    several = isinstance(given, (tuple, list))
    sizes = tuple(cast("Sequence[Any]", given)) if several else (given,)
    if not _are_counts(sizes):
        raise InvalidValueError(
            "groups are up to three whole numbers from 0 on, not"
            f" {shortened(cast('object', groups))}: kernel.groups_for(width, height) counts them"
        )
    x, y, z = (int(n) for n in (*sizes, 1, 1)[:3])
    for axis, count, most in zip("xyz", (x, y, z), info.limits.max_workgroup_count, strict=True):
        if count > D3D_MAX_GROUPS:
            raise too_large(
                f"{count} groups in {axis}: D3D allows {D3D_MAX_GROUPS}; divide the arrays among"
                " dispatches, or have the shader use another axis too"
            )
        if count > most:
            raise too_large(f"{count} groups in {axis}: {info.name} allows {most}")
    if GROUP_COUNT in info.known_faults and x * y * z > _MOST_COUNTED:
        raise LimitError(
            f"{x} x {y} x {z} groups: {info.name} counts all groups in 32 bits"
            f" (its fault {GROUP_COUNT}): divide them among several dispatches"
        )
    return x, y, z


def _are_counts(values: Sequence[Any]) -> bool:
    """Whether there are one to three whole numbers from 0 on."""
    return 1 <= len(values) <= 3 and all(map(_is_count, values))


def _is_count(value: Any) -> bool:
    return is_integer(value) and value.__index__() >= 0


def check_indirect(device: ObjectMaker, buffer: Any, offset: Any) -> Indirect:
    """The place of the numbers of groups in a buffer of the device.

    Raises ArgumentError for another kind of object, and unless 12 bytes at `offset` are inside.
    """
    if not isinstance(buffer, Buffer):
        kind = type(buffer).__name__
        raise WrongTypeError(
            f"the groups are in a buffer that stays on the device, not in a {kind}"
        )
    check_owner(buffer, device, "groups: ")
    if not _is_count(offset) or offset % 4:
        raise InvalidValueError(f"the groups stand at a multiple of 4 bytes, not at {offset!r}")
    if offset + INDIRECT_BYTES > buffer.nbytes:
        raise ShapeError(
            f"the groups take {INDIRECT_BYTES} bytes from byte {offset} on, the buffer has"
            f" {buffer.nbytes}"
        )
    return Indirect(buffer, int(offset))
