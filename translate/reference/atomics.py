"""Execute atomics of many lanes at once, with the results of sequential execution in lane order.

The row's `evaluate(old, *values)` defines the operation. Source: FS §22.17.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from translate.isa.instruction import Lanes, Results


def apply_in_order(
    words: Lanes, at: Lanes, evaluate: Callable[..., Results], values: list[Lanes]
) -> tuple[Lanes, Lanes]:
    """Apply an atomic to `words[at]`, lane by lane; returns the old values, and which lanes change.

    `words` and the first result (u32[lanes]) are u32, the second is bool[lanes], `at` is
    i64[lanes]. If `values` are i32, `evaluate` takes and returns i32.
    """
    if not len(at):
        return np.zeros(0, np.uint32), np.zeros(0, np.bool_)
    kind = values[0].dtype if values else np.dtype(np.uint32)
    order = np.argsort(at, kind="stable")
    sorted_at = at[order]
    first = np.concatenate(([True], sorted_at[1:] != sorted_at[:-1]))
    memory = words[sorted_at].view(kind)
    sorted_values = [value[order] for value in values]
    if first.all():
        found, left = memory, _number(evaluate(memory, *sorted_values), kind)
    elif len(values) == 1:
        found, left = _scan(memory, first, evaluate, sorted_values[0])
    else:
        found, left = _one_change_at_a_time(memory, first, evaluate, sorted_values)
    last = np.concatenate((first[1:], [True]))
    words[sorted_at[last]] = left[last].view(np.uint32)
    result, changed = np.empty(len(at), np.uint32), np.empty(len(at), np.bool_)
    result[order] = found.view(np.uint32)
    changed[order] = found != left
    return result, changed


def _number(value: Results, kind: np.dtype[np.generic]) -> Lanes:
    return np.asarray(value).astype(kind, copy=False)


def _scan(
    memory: Lanes, first: Lanes, evaluate: Callable[..., Results], values: Lanes
) -> tuple[Lanes, Lanes]:
    """Apply an atomic with one operand; returns each lane's old and new value.

    Such operations are associative: f(f(m, a), b) = f(m, f(a, b)). So the operands for equal
    addresses are combined in a logarithmic number of steps. Lanes are sorted by address; `first`
    marks the first lane of each.
    """
    kind = memory.dtype
    start = np.flatnonzero(first)
    rank = np.arange(len(values)) - np.repeat(start, np.diff(np.append(start, len(values))))
    combined, step, longest = values, 1, int(rank.max())
    while step <= longest:
        reach = np.flatnonzero(rank >= step)
        joined = combined.copy()
        joined[reach] = _number(evaluate(combined[reach - step], combined[reach]), kind)
        combined, step = joined, 2 * step
    left = _number(evaluate(memory, combined), kind)
    found = np.where(first, memory, np.concatenate((memory[:1], left[:-1])))
    return found, left


def _one_change_at_a_time(
    memory: Lanes, first: Lanes, evaluate: Callable[..., Results], values: list[Lanes]
) -> tuple[Lanes, Lanes]:
    """Apply an atomic with two operands (compare and exchange); returns old and new values.

    At each address, all lanes up to the first that changes the dword find the same value; the next
    iteration continues after that lane. Few exchanges at an address succeed, so few iterations are
    needed.
    """
    kind = memory.dtype
    run = np.cumsum(first) - 1
    current = memory[first].copy()
    found, left = np.empty_like(memory), np.empty_like(memory)
    waiting = np.arange(len(memory))
    while len(waiting):
        of_run = run[waiting]
        before = current[of_run]
        after = _number(evaluate(before, *(value[waiting] for value in values)), kind)
        changing = np.full(len(current), len(memory))
        changed = after != before
        np.minimum.at(changing, of_run[changed], waiting[changed])
        reached = waiting <= changing[of_run]
        done = waiting[reached]
        found[done] = before[reached]
        left[done] = after[reached]
        update = waiting == changing[of_run]
        current[of_run[update]] = after[update]
        waiting = waiting[~reached]
    return found, left


def count_in_order(
    start: np.uint32, count: int, evaluate: Callable[..., Results]
) -> tuple[Lanes, np.uint32]:
    """Count `count` lanes with a hidden counter; returns each lane's result, and the new value.

    `evaluate(old)` gives (result, new), where new - old is the same for every old value.
    """
    one = np.array([start], np.uint32)
    step = np.asarray(evaluate(one)[1], np.uint32) - one
    old = one + step * np.arange(count, dtype=np.uint32)
    returned, left = evaluate(old)
    return np.asarray(returned, np.uint32), np.uint32(np.asarray(left)[-1])
