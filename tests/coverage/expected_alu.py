"""The results of the arithmetic shaders, computed by NumPy from their HLSL.

Results are exact to the bit except for functions for which D3D allows an error; `ULPS` and
`ABSOLUTE` have the limits (FS §22.10, and Vulkan's precision of the same functions).
"""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
Rows = dict[str, Array]

THREADS = 16
# The largest error of inexact functions, in units in the last place.
ULPS = {
    "quotient": 3, "power": 8, "logarithm": 4, "inverse_root": 3, "root": 3, "reciprocal_": 3,
    "multiply_add": 1, "fused_saturated": 1, "dot2": 4, "dot3": 4, "dot4": 4, "f": 1,
}  # fmt: skip
ABSOLUTE = {"sine": 0.0008, "cosine": 0.0008, "only_sine": 0.0008, "only_cosine": 0.0008}
EDGES = np.array(
    [0, 1, 2, 31, 32, 33, 255, 0x7FFF, 0x8000, 0xFFFF, 0x10000, 0x7FFFFFFF, 0x80000000,
     0x80000001, 0xFFFFFFFE, 0xFFFFFFFF], np.uint32,
)  # fmt: skip


def unsigned(rng: np.random.Generator, columns: int = 4) -> Array:
    """Half of the numbers are edge cases, the others are random."""
    shape = (THREADS, columns)
    numbers = rng.integers(0, 1 << 32, shape, dtype=np.uint32)
    return np.where(rng.random(shape) < 0.5, rng.choice(EDGES, shape), numbers)


def floats(rng: np.random.Generator, columns: int = 4) -> Array:
    """Quarters from -8 to 8, so that sums and products are exact."""
    return (rng.integers(-32, 33, (THREADS, columns)) / 4).astype(np.float32)


def chosen(condition: Array, number: int) -> Array:
    return np.where(condition, np.uint32(number), np.uint32(0))


def fields(dtype: Any, values: Rows, count: int = THREADS) -> Array:
    """A structured array of the given fields; every field has to be given."""
    assert set(values) == set(dtype.names)
    rows = np.zeros(count, dtype)
    for name, value in values.items():
        rows[name] = value
    return rows


def float_inputs() -> Rows:
    rng = np.random.default_rng(1)
    a, b, c = (floats(rng) for _ in range(3))
    b[b == 0] = 0.5
    return {"a": a, "b": b, "c": np.abs(c) + np.float32(0.25)}


def float_rows(given: Rows) -> Rows:
    a, b, c = given["a"], given["b"], given["c"]
    wide = {name: value.astype(np.float64) for name, value in given.items()}
    swap = a > b
    return {
        "sum": a + b, "product": a * b, "multiply_add": a * b + c, "quotient": a / b,
        "least": np.minimum(a, b), "most": np.maximum(a, b), "fraction": a - np.floor(a),
        "nearest": np.rint(a), "down": np.floor(a), "up": np.ceil(a), "toward_zero": np.trunc(a),
        "power": np.exp2(wide["b"]), "logarithm": np.log2(wide["c"]), "root": np.sqrt(c),
        "inverse_root": 1 / np.sqrt(wide["c"]), "reciprocal_": 1 / wide["c"],
        "sine": np.sin(wide["a"]), "cosine": np.cos(wide["a"]), "only_sine": np.sin(wide["b"]),
        "only_cosine": np.cos(wide["c"]), "dot2": (a * b)[:, :2].sum(1),
        "dot3": (a * b)[:, :3].sum(1), "dot4": (a * b).sum(1), "equal": chosen(a == b, 1),
        "unequal": chosen(a != b, 2), "greater_equal": chosen(a >= b, 3), "less": chosen(a < b, 4),
        "saturated": np.clip(a, 0, 1), "negated": -a, "magnitude": np.abs(a),
        "negative_magnitude": -np.abs(a), "selected": np.where(c > b, a, b),
        "fused_saturated": np.clip(a * b + c, 0, 1), "low": np.where(swap, b, a),
        "high": np.where(swap, a, b),
    }  # fmt: skip


def integer_inputs() -> Rows:
    rng = np.random.default_rng(2)
    c, d = unsigned(rng).view(np.int32), unsigned(rng).view(np.int32)
    d[d == 0] = 3
    d[d == -1] = 5  # INT_MIN / -1 has no quotient
    f = np.array([-3e9, -1.5, 0, 0.99, 1.5, 3e9, 5e9, np.nan, np.inf, -np.inf], np.float32)
    return {
        "a": unsigned(rng), "b": unsigned(rng), "c": c, "d": d,
        "f": rng.choice(f, (THREADS, 4)),
    }  # fmt: skip


def integer_rows(given: Rows) -> Rows:
    """Wrapping arithmetic; a division by 0 gives all ones; conversions clamp, NaN is 0."""
    a, b, c, d, f = (given[name] for name in "abcdf")
    divisor = np.where(b == 0, np.uint32(1), b)
    wide_c, wide_d = c.astype(np.int64), d.astype(np.int64)
    quotient = (np.abs(wide_c) // np.abs(wide_d)) * np.sign(wide_c) * np.sign(wide_d)
    number = np.where(np.isnan(f), 0, f).astype(np.float64)
    return {
        "sum": a + b, "difference": a - b, "product": a * b, "multiply_add": a * b + a,
        "quotient": np.where(b == 0, 0xFFFFFFFF, a // divisor),
        "remainder": np.where(b == 0, 0xFFFFFFFF, a % divisor), "seventh": a // 7, "rest7": a % 7,
        "signed_product": c * d, "signed_multiply_add": c * d + c, "signed_quotient": quotient,
        "signed_remainder": wide_c - quotient * wide_d, "negated": -c, "magnitude": np.abs(c),
        "least": np.minimum(c, d), "most": np.maximum(c, d), "unsigned_least": np.minimum(a, b),
        "unsigned_most": np.maximum(a, b), "equal": chosen(a == b, 1),
        "unequal": chosen(a != b, 2), "signed_ge": chosen(c >= d, 3),
        "signed_lt": chosen(c < d, 4), "unsigned_ge": chosen(a >= b, 5),
        "unsigned_lt": chosen(a < b, 6), "both": a & b, "either": a | b, "odd": a ^ b,
        "inverse": ~a, "left": a << (b & 31), "logical_right": a >> (b & 31),
        "arithmetic_right": c >> (d & 31),
        "to_signed": np.trunc(np.clip(number, -(2.0**31), 2.0**31 - 1)).astype(np.int64),
        "to_unsigned": np.trunc(np.clip(number, 0, 2.0**32 - 1)).astype(np.int64),
        "from_signed": c.astype(np.float32), "from_unsigned": a.astype(np.float32),
        "bits": f.view(np.uint32),
    }  # fmt: skip


def bit_inputs() -> Rows:
    rng = np.random.default_rng(3)
    f = np.array([0.1, -2.0, 65504, 65519, 1e6, -1e-7, 6.1e-5, 3.14159, 1 / 3], np.float32)
    return {
        "a": unsigned(rng), "b": unsigned(rng), "c": unsigned(rng).view(np.int32),
        "f": rng.choice(f, (THREADS, 4)),
    }  # fmt: skip


def bit_rows(given: Rows) -> Rows:
    a, b, c, f = (given[name] for name in "abcf")
    swap = (a[:, 0] > b[:, 0])[:, None]
    words = f.view(np.uint32)
    nearest = f.astype(np.float16)
    past = np.abs(nearest.astype(np.float64)) > np.abs(f.astype(np.float64))
    cut = np.where(past, np.nextafter(nearest, np.float16(0)), nearest).view(np.uint16)
    assert words.shape == cut.shape
    halves = (a & 0xFFFF).astype(np.uint16).view(np.float16)
    return {
        "count": each(a, lambda n: bin(n).count("1")),
        "first_high": each(a, lambda n: n.bit_length() - 1),
        "first_low": each(a, lambda n: (n & -n).bit_length() - 1),
        "reversed": each(a, lambda n: int(f"{n:032b}"[::-1], 2)),
        "signed_high": each(c, lambda n: (n if n >= 0 else ~n).bit_length() - 1).view(np.int32),
        "field": a >> 5 & 0x3FF,
        "inserted": (a & 31) << 9 | b & np.uint32(0xFFFFFFFF ^ 31 << 9),
        "signed_field": c << 7 >> 20, "to_half": cut, "from_half": halves.astype(np.float32),
        "differences": masked_differences(b[:, 0], a[:, :2], b),
        "low": np.where(swap, b, a), "high": np.where(swap, a, b),
        "reciprocal_": 1 / f.astype(np.float64),
    }  # fmt: skip


def each(array: Array, function: Any) -> Array:
    """A function of integers applied to every element, modulo 2^32."""
    numbers = [function(int(n)) & 0xFFFFFFFF for n in array.ravel()]
    return np.array(numbers, np.uint32).reshape(array.shape)


def masked_differences(reference: Array, source: Array, accumulator: Array) -> Array:
    """`msad4`: sums of absolute byte differences at four offsets, without reference bytes of 0."""
    result = accumulator.copy()
    for thread in range(THREADS):
        have = int(source[thread, 0]) | int(source[thread, 1]) << 32
        for place in range(4):
            for byte in range(4):
                wanted = int(reference[thread]) >> 8 * byte & 255
                found = have >> 8 * (place + byte) & 255
                difference = abs(wanted - found) if wanted else 0
                result[thread, place] += np.uint32(difference)
    return result


def double_inputs() -> Rows:
    rng = np.random.default_rng(4)
    a, b = (rng.integers(-(2**40), 2**40, (THREADS, 2)) / 2.0**14 for _ in range(2))
    b[::4] = a[::4]
    b[b == 0] = 0.5
    return {
        "a": a, "b": b, "f": floats(rng, 2), "i": unsigned(rng, 2).view(np.int32),
        "u": unsigned(rng, 2),
    }  # fmt: skip


def double_rows(given: Rows) -> Rows:
    a, b, f, u = (given[name] for name in "abfu")
    words = a[:, 0].copy().view(np.uint32).reshape(-1, 2)
    odd = (u[:, :1] & 1).astype(bool)
    return {
        "sum": a + b, "product": a * b, "least": np.minimum(a, b), "most": np.maximum(a, b),
        "selected": np.where(f > 0, a, b), "widened": f.astype(np.float64),
        "copied": np.where(odd, a, 0.5), "negated": -a, "equal": chosen(a == b, 1),
        "unequal": chosen(a != b, 2), "greater_equal": chosen(a >= b, 3), "less": chosen(a < b, 4),
        "narrowed": a.astype(np.float32), "lows": words[:, :1], "highs": words[:, 1:],
    }  # fmt: skip


def later_double_rows(given: Rows) -> Rows:
    """Products of the inputs have at most 80 bits: `fused` is computed in exact integers."""
    a, b, f = given["a"], given["b"], given["f"]
    return double_rows(given) | {
        "quotient": a / b, "fused": fused(a, b, f), "reciprocal_": 1 / b,
        "from_int": given["i"].astype(np.float64), "from_uint": given["u"].astype(np.float64),
        "to_int": np.trunc(a).astype(np.int32),
        "to_uint": np.trunc(np.maximum(b, 0)).astype(np.uint32),
    }  # fmt: skip


def fused(a: Array, b: Array, c: Array) -> Array:
    """a * b + c, rounded once: Python rounds the quotient of two integers correctly."""
    numbers = [
        (int(x * 2**14) * int(y * 2**14) + int(z * 2**28)) / 2**28
        for x, y, z in zip(a.ravel(), b.ravel(), c.astype(np.float64).ravel(), strict=True)
    ]
    return np.array(numbers).reshape(a.shape)


def small_inputs() -> Rows:
    rng = np.random.default_rng(6)
    return {
        "floats": floats(rng),
        "integers": rng.integers(-90, 90, (THREADS, 4), dtype=np.int32),
    }


def min_precision_rows(given: Rows) -> Rows:
    """Small enough for 16 bits where nothing goes below 0; unsigned ones wrap at 32."""
    f, i = given["floats"], given["integers"]
    u = i[:, ::-1].astype(np.uint32)
    return {
        "f": f * f + np.float32(0.5), "i": (i << 1) - i[:, [1, 0, 3, 2]] * 3,
        "u": (u & 15) + u // 3 + u * u, "compared": chosen(f > f[:, [1, 0, 3, 2]], 1),
    }  # fmt: skip
