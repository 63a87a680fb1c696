"""Dispatches of the shaders about memory, and checks of their results."""

from typing import Any

import numpy as np
import pytest

import vkrunner

from .flow_checks import Array, Check

THREADS = 16


def same(actual: Array, wanted: Array) -> None:
    np.testing.assert_array_equal(actual, wanted)


def numbers(seed: int, *shape: int) -> Array:
    return np.random.default_rng(seed).integers(0, 1 << 32, shape, dtype=np.uint32)


def quarters(seed: int, *shape: int) -> Array:
    """Floats whose sums and products are exact."""
    return (np.random.default_rng(seed).integers(-64, 64, shape) / 4).astype(np.float32)


def check_sync(device: Any, kernel: Any) -> None:
    """Each thread sees its neighbours' cells, and their stores to the coherent UAV."""
    inputs = numbers(9, 128)
    result = kernel.dispatch(2, t0=inputs, u0=np.zeros(128, np.uint32), u1=np.zeros(130, np.uint32))
    groups = inputs.reshape(2, 64)
    following = np.roll(groups, -1, axis=1)
    same(result.u0, following.ravel())
    same(result.u1[:128], (following[:, ::-1] + (groups + following)).ravel())
    same(result.u1[128:], (following & 0xFF).sum(1).astype(np.uint32))


def check_model4(device: Any, kernel: Any) -> None:
    items = np.zeros(32, kernel.interface["t0"].dtype)
    items["position"], items["key"] = quarters(10, 32, 2), numbers(11, 32)
    words = numbers(12, 96)
    result = kernel.dispatch(2, t0=items, t1=words, u0=np.zeros((32, 4), np.uint32))
    following = np.roll(items["position"].reshape(2, 16, 2), -1, axis=1).reshape(32, 2)
    x, y, z = words.reshape(-1, 3).T
    sums = (items["position"] + following).view(np.uint32)
    same(result.u0, np.column_stack([sums, items["key"] ^ x, y + z]))


def check_interfaces(device: Any, kernel: Any) -> None:
    """`op` is `add`; `ops` are `multiply[1]`, `table` and `second`, an index past them nothing."""
    v, rows = quarters(13, 8, 4), quarters(14, 3, 4)
    first = np.zeros((), kernel.interface["cb2"].dtype)
    second = np.zeros((), kernel.interface["cb0"].dtype)
    first["add"]["k"], second["second"]["k"] = 0.5, -2
    first["multiply"]["k"] = [[9, 9, 9, 9], [2, 4, 0.5, -1]]
    second["table"]["rows"], second["table"]["row"] = rows, 2
    once = v + np.float32(0.5)
    other = once * once + np.float32(0.5)
    factors = np.array([2, 4, 0.5, -1], np.float32)
    for selected, more in enumerate([once * factors, once + rows[2], once - 2]):
        first["selected"] = selected
        result = kernel.dispatch(1, u0=v, cb2=first, cb0=second)
        same(result.u0, other + more)


def check_class_buffers(device: Any, kernel: Any) -> None:
    """`source` is `bytes`; `sources` are `many[1]` and `constant`."""
    constants = np.zeros((), kernel.interface["cb0"].dtype)
    constants["many"]["scale"] = [[5, 5, 5, 5], [2, 0.5, -1, 3]]
    constants["constant"]["value"] = [1, 2, 3, 4]
    names = [b.name for b in kernel.interface]
    given = {name: quarters(20 + i, 8, 4) for i, name in enumerate(names) if "." in (name or "")}
    scale = np.array([2, 0.5, -1, 3], np.float32)
    left, right = given["many[1].left"], given["many[1].right"]
    for chosen, more in enumerate([left * scale + right, np.array([1, 2, 3, 4], np.float32)]):
        constants["chosen"] = chosen
        result = kernel.dispatch(1, bindings=given, u0=np.zeros((8, 4), np.float32), cb0=constants)
        same(result.u0, given["bytes.words"] + more)


def gathered_red(image: Array) -> Array:
    """Red of four texels, wrapping: below, below right, right, the texel itself (FS §22.4.2)."""
    red = image[:, :, 0]
    below, right = np.roll(red, -1, axis=0), np.roll(red, -1, axis=1)
    return np.stack([below, np.roll(below, -1, axis=1), right, red], axis=-1)


def check_class_textures(device: Any, kernel: Any) -> None:
    """`source` is `second`; `sources` are `loaded` and `first`."""
    images = {name: quarters(50 + i, 4, 4, 4) for i, name in enumerate(TEXTURES)}
    bound: dict[str, Any] = {name: device.texture(image) for name, image in images.items()}
    bound |= dict.fromkeys(("first.state", "second.state"), device.sampler("point", "wrap"))
    constants = np.zeros((), kernel.interface["cb0"].dtype)
    constants["first"]["scale"], constants["second"]["scale"] = [2, 1, 0.5, -1], [1, 4, -2, 3]
    loaded = images["loaded.one"] - images["loaded.two"].transpose(1, 0, 2)
    sampled = {
        name: images[f"{name}.image"] * constants[name]["scale"]
        + gathered_red(images[f"{name}.image"])
        for name in ("first", "second")
    }
    for chosen, more in enumerate([loaded, sampled["first"]]):
        constants["chosen"] = chosen
        empty = np.zeros((16, 4), np.float32)
        result = kernel.dispatch(1, bindings=bound, u0=empty, cb0=constants)
        same(result.u0.reshape(4, 4, 4), sampled["second"] + more)


TEXTURES = ("first.image", "second.image", "loaded.one", "loaded.two")


def check_feedback(device: Any, kernel: Any) -> None:
    """All that is bound is mapped."""
    structured, raw, typed, stored = (quarters(30 + i, 8, 4) for i in range(4))
    stored_raw, stored_typed = quarters(34, 8), numbers(35, 8, 4) & 0xFF
    result = kernel.dispatch(
        1, t0=structured, t1=raw, t2=typed, u0=stored, u1=stored_raw, u2=stored_typed,
        u3=np.zeros(8, np.uint32),
    )  # fmt: skip
    total = structured + raw + typed + stored
    total[:, 0] += stored_raw + stored_typed[:, 0].astype(np.float32)
    same(result.u0, total)
    same(result.u3, np.full(8, 6, np.uint32))


def check_ranges(device: Any, kernel: Any, non_uniform: bool = False) -> None:
    """A thread accesses the array element of its own number, or all access that of the offset."""
    lone = np.arange(8, dtype=np.uint32) * 3 % 16
    inputs = numbers(40, 4, 8)
    bindings = {
        ("t", 1, 0): lone,
        ("t", 3, 2): [*inputs],
        ("cb", 2, 3): [np.array(pair, np.uint32) for pair in ((9, 5), (3, 8))],
        ("u", 1, 1): [np.zeros(8, np.uint32), np.zeros(8, np.uint32)],
        ("u", 0, 0): np.zeros(8, np.uint32),
    }
    result = kernel.dispatch(1, bindings=bindings)
    threads = np.arange(8)
    read, written = (lone & 3, lone >> 2 & 1) if non_uniform else (1, 1)
    z = inputs[2] * np.uint32(3) + np.uint32(5)
    outputs = np.zeros((2, 8), np.uint32)
    outputs[written, threads] = lone + inputs[read, threads] + z
    same(np.array([*result["outputs"]]), outputs)
    same(result["bytes"], z)


def check_messages(device: Any, kernel: Any) -> None:
    """The messages of all threads; those that abort stop at that point."""
    given = np.arange(2 * THREADS, dtype=np.uint32) * 3 + 10
    scale = np.array([0, 1.25, 0, 0], np.float32)
    parameters = {"scale": scale, "limit": [-1, 0, 0, 0]}
    arguments = {"t0": given, "u0": np.zeros_like(given)}
    result = kernel.dispatch(2, cb0=parameters, **arguments)
    same(result.u0, given + 2)
    expected: list[tuple[str, tuple[int, int, int], str]] = []
    for thread, value in enumerate(given.tolist()):
        texts = [("printf", 'says "so" 100%\t\\ // no comment; 7')] * (thread == 0)
        numbers_of = f"thread {thread} ({-(thread % THREADS)}): {value:08x}, -1.250000"
        texts.append(("printf", numbers_of))
        texts += [("printf", f"prime {prime}") for prime in (2, 3, 5, 7)[: value & 3]]
        if value & 1:
            texts.append(("errorf", f"odd: {value}, a half of it {value / 2:.1f}\n"))
        expected += [(name, (thread, 0, 0), text) for name, text in texts]
    assert [(m.name, m.thread, m.text) for m in result.messages] == expected
    assert result.messages.total == len(expected)
    with pytest.raises(vkrunner.AbortError, match="thread \\(7, 0, 0\\)") as caught:
        kernel.dispatch(2, cb0={**parameters, "limit": [int(given[7]), 0, 0, 0]}, **arguments)
    assert (caught.value.thread, caught.value.count) == ((7, 0, 0), 1)
    others = np.arange(2 * THREADS) != 7
    same(caught.value.result.u0[others], (given + 2)[others])
    assert [(m.name, m.thread, m.text) for m in caught.value.result.messages] == expected


CHECKS: dict[str, Check] = {
    "sync": check_sync,
    "messages": check_messages,
    "model4": check_model4,
    "interfaces": check_interfaces,
    "class_buffers": check_class_buffers,
    "class_textures": check_class_textures,
    "feedback": check_feedback,
    "ranges": check_ranges,
    "ranges_non_uniform": lambda device, kernel: check_ranges(device, kernel, non_uniform=True),
}
