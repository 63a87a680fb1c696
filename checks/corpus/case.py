"""One dispatch of a corpus shader and its expected result by D3D's rules, and ways to state it."""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
Check = Callable[[Any], None]


@dataclass(frozen=True)
class Counted:
    """A structured buffer with a hidden counter that starts at `counter`."""

    array: Array
    counter: int


@dataclass(frozen=True)
class Mips:
    """A texture with all its mips, the largest first."""

    levels: tuple[Array, ...]


@dataclass(frozen=True)
class Case:
    """`arguments` by register; `check` takes the dispatch's result and asserts."""

    name: str
    groups: tuple[int, int, int]
    arguments: dict[str, Any]
    check: Check = field(repr=False)

    def run(self, device: Any, kernel: Any) -> None:
        """Dispatch on the device, check the result, and that no input was changed."""
        before = {name: snapshot(value) for name, value in self.arguments.items()}
        bound = {name: on_device(device, value) for name, value in self.arguments.items()}
        self.check(kernel.dispatch(self.groups, **bound))
        for name, value in self.arguments.items():
            assert snapshot(value) == before[name], f"{name} was changed"


def on_device(device: Any, value: Any) -> Any:
    """The argument of a dispatch for a value."""
    if isinstance(value, Counted):
        return device.buffer(value.array, counter=value.counter)
    if isinstance(value, Mips):
        return device.texture(value.levels[0], mips=value.levels[1:])
    return value


def snapshot(value: Any) -> Any:
    """The bytes of an argument, to compare later."""
    if isinstance(value, Mips):
        return [level.tobytes() for level in value.levels]
    if isinstance(value, Counted):
        return value.array.tobytes(), value.counter
    return value.tobytes() if isinstance(value, np.ndarray) else value


def exactly(**expected: Array) -> Check:
    """Every named resource holds exactly these bits (float NaNs match any NaN)."""

    def check(result: Any) -> None:
        for name, array in expected.items():
            actual = result[name]
            assert (actual.dtype, actual.shape) == (array.dtype, array.shape), name
            np.testing.assert_array_equal(actual, array, err_msg=name)

    return check


def explained_by_some_order(
    initial: int,
    operands: Sequence[Any],
    returned: Sequence[int],
    final: int,
    operation: Callable[[int, Any], int],
) -> bool:
    """Whether atomics on one address, in some order, give these returned values and this end.

    Each atomic is an edge from the value that it returned to the value that it left. An order of
    all of them is an Eulerian trail from `initial` to `final`. It exists where the in- and
    out-degrees balance except at the two ends, and all edges are connected with `initial`.
    """
    balance: dict[int, int] = {initial: 1}
    balance[final] = balance.get(final, 0) - 1
    neighbours: dict[int, set[int]] = {}
    for before, operand in zip(returned, operands, strict=True):
        after = operation(before, operand)
        balance[before] = balance.get(before, 0) - 1
        balance[after] = balance.get(after, 0) + 1
        neighbours.setdefault(before, set()).add(after)
        neighbours.setdefault(after, set()).add(before)
    if any(balance.values()):
        return False
    return set(neighbours) <= reachable(initial, neighbours)


def reachable(start: int, neighbours: dict[int, set[int]]) -> set[int]:
    """All nodes connected with `start`."""
    seen, queue = {start}, deque([start])
    while queue:
        for node in neighbours.get(queue.popleft(), set()) - seen:
            seen.add(node)
            queue.append(node)
    return seen


def padded(array: Array, count: int) -> Array:
    """The first `count` elements as D3D reads them: 0 past the end."""
    out = np.zeros((count, *array.shape[1:]), array.dtype)
    kept = min(count, len(array))
    out[:kept] = array[:kept]
    return out


def groups_for(count: int, size: int) -> tuple[int, int, int]:
    """Enough thread groups of `size` for `count` threads."""
    return (-(-count // size), 1, 1)
