"""Raw and structured loads and stores on t#, u# and g#, in bounds and out of bounds.

One thread reads a table of addresses, so that overlapping accesses have an order. t1 holds the
table: (index, byte offset) or (byte offset, -), then a value to store.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .case import Array, Case, words
from .listing import listing, literal
from .memory_model import RAW_DWORDS, Memory, raw_addresses, structured_addresses

_LOADS = ("xyzw", "wzyx", "yyxw")  # swizzles of the resource operand
_MASKS = ("x", "xy", "xyz", "xyzw")
Shape = tuple[int, int] | None  # (stride, count), None for raw
SHAPES: tuple[Shape, ...] = (None, (4, 9), (12, 5), (16, 4), (20, 3))


def initial(count: int) -> list[int]:
    """Dwords that are all different and not 0."""
    return [(0x9E3779B9 * (i + 1)) & 0xFFFFFFFF for i in range(count)]


def memory(shape: Shape) -> Memory:
    """Raw for None, else (stride, count)."""
    if shape is None:
        return Memory(initial(RAW_DWORDS))
    stride, count = shape
    return Memory(initial(stride * count // 4), stride)


def addresses(shape: Shape) -> list[tuple[int, ...]]:
    return raw_addresses() if shape is None else structured_addresses(*shape)


def named(shape: Shape, register: str) -> str:
    return f"{register}, raw" if shape is None else f"{register}, stride {shape[0]}"


def declaration(register: str, shape: Shape) -> str:
    """The declaration of a resource or of shared memory."""
    if register.startswith("g"):
        if shape is None:
            return f"dcl_tgsm_raw {register}, {4 * RAW_DWORDS}"
        return f"dcl_tgsm_structured {register}, {shape[0]}, {shape[1]}"
    kind = "uav" if register.startswith("u") else "resource"
    return f"dcl_{kind}_" + (
        f"raw {register}" if shape is None else f"structured {register}, {shape[0]}"
    )


def loading(
    target: str,
    address: str,
    register: str,
    swizzle: str,
    shape: Shape,
    feedback: str = "",
    profile: str = "cs_5_0",
) -> str:
    """A load; `address` is the register with the address in .x, or in .x and .y."""
    name = "ld_raw" if shape is None else "ld_structured"
    kind = "raw_buffer" if shape is None else f"structured_buffer, stride={shape[0]}"
    at = f"{address}.x" if shape is None else f"{address}.x, {address}.y"
    status = f", {feedback}" if feedback else ""
    suffix = "_s" if feedback else ""
    if not register.startswith("g") and profile != "cs_4_0":
        suffix = f"_indexable({kind})(mixed,mixed,mixed,mixed)" if not feedback else suffix
    return f"{name}{suffix} {target}{status}, {at}, {register}.{swizzle}"


def storing(register: str, mask: str, address: str, value: str, shape: Shape) -> str:
    name = "store_raw" if shape is None else "store_structured"
    at = f"{address}.x" if shape is None else f"{address}.x, {address}.y"
    return f"{name} {register}.{mask}, {at}, {value}"


def table(rows: Sequence[tuple[int, ...]]) -> tuple[Array, Array]:
    """t1: u32[rows, 4] with the addresses; t2: a value of four dwords for each."""
    addressed = np.zeros((len(rows), 4), np.uint32)
    for row, address in zip(addressed, rows, strict=True):
        row[: len(address)] = address
    values = np.random.default_rng(len(rows)).integers(1, 2**32, (len(rows), 4), np.uint32)
    return addressed, values


def walk(body: Sequence[str], count: int) -> list[str]:
    """`body` for every row of the table: its number in r0.x, its address in r1, its value in r2."""
    fetch = "ld_structured_indexable(structured_buffer, stride=16)(mixed,mixed,mixed,mixed)"
    return [
        "mov r0.x, l(0)",
        "loop",
        f"uge r0.y, r0.x, l({count})",
        "breakc_nz r0.y",
        f"{fetch} r1.xyzw, r0.x, l(0), t1.xyzw",
        f"{fetch} r2.xyzw, r0.x, l(0), t2.xyzw",
        *body,
        "iadd r0.x, r0.x, l(1)",
        "endloop",
    ]


TABLES = ("dcl_resource_structured t1, 16", "dcl_resource_structured t2, 16")


def _where(at: int, shape: Shape) -> str:
    """The address of a dword, as immediates."""
    if shape is None:
        return f"l({4 * at})"
    return f"l({4 * at // shape[0]}), l({4 * at % shape[0]})"


def filling(register: str, shape: Shape) -> list[str]:
    """Fill shared memory with the contents of `memory`, in the only thread."""
    dwords = memory(shape).dwords
    body: list[str] = []
    for at, value in enumerate(dwords):
        name = "store_raw" if shape is None else "store_structured"
        body.append(f"{name} {register}.x, {_where(at, shape)}, {literal([value])}")
    return body


def draining(register: str, shape: Shape) -> list[str]:
    """Copy shared memory to the raw u0."""
    body: list[str] = []
    for at in range(len(memory(shape).dwords)):
        name = "ld_raw" if shape is None else "ld_structured"
        body.append(f"{name} r7.x, {_where(at, shape)}, {register}.xxxx")
        body.append(f"store_raw u0.x, l({4 * at}), r7.x")
    return body


_INDEXABLE = "_indexable(structured_buffer, stride=16)(mixed,mixed,mixed,mixed)"


def program(lines: Sequence[str], declared: Sequence[str], profile: str) -> str:
    """One thread; cs_4_0 has no `_indexable` forms, and needs another flag."""
    if profile != "cs_4_0":
        return listing(lines, declared, group=(1, 1, 1), profile=profile)
    lines = [line.replace(_INDEXABLE, "") for line in lines]
    flags = ["enableRawAndStructuredBuffers"]
    return listing(lines, declared, group=(1, 1, 1), profile=profile, flags=flags)


# --- loads --------------------------------------------------------------------------------------


def load_case(
    register: str,
    shape: Shape,
    feedback: bool = False,
    profile: str = "cs_5_0",
    null: bool = False,
) -> Case:
    """A load for every address and swizzle; the results go to u1, a structure for each row."""
    rows = addresses(shape)
    body: list[str] = []
    for i, swizzle in enumerate(_LOADS):
        body.append(loading("r3.xyzw", "r1", register, swizzle, shape, "r4.x" * feedback, profile))
        if feedback:
            body += ["check_access_fully_mapped r4.x, r4.x", "and r3.xyzw, r3.xyzw, r4.xxxx"]
        body.append(f"store_structured u1.xyzw, r0.x, l({16 * i}), r3.xyzw")
    shared = register.startswith("g")
    lines = [*(filling(register, shape) if shared else []), *walk(body, len(rows))]
    declared = [*TABLES, f"dcl_uav_structured u1, {16 * len(_LOADS)}", declaration(register, shape)]
    source = Memory([], 4 if shape else None) if null else memory(shape)
    letters = ["xyzw".index(letter) for swizzle in _LOADS for letter in swizzle]
    expected = [[source.load(address, letter) for letter in letters] for address in rows]
    where, values = table(rows)
    arguments: dict[str, Any] = {"t1": where, "t2": values}
    arguments["u1"] = np.full((len(rows), len(letters)), 0xCC, np.uint32)
    if not shared:
        arguments[register] = None if null else source.array()
    kind = "null " * null + "tiled " * feedback + f"{profile} " * (profile != "cs_5_0")
    name = f"{kind}load from {named(shape, register)}"
    left = {"u1": np.array(expected, np.uint32)}
    return Case(name, program(lines, declared, profile), arguments, left)


# --- stores -------------------------------------------------------------------------------------


def store_case(register: str, shape: Shape, mask: str, profile: str = "cs_5_0") -> Case:
    """A store to every address in turn; the final memory is compared."""
    rows = addresses(shape)
    where, values = table(rows)
    left = memory(shape)
    for address, value in zip(rows, values.tolist(), strict=True):
        left.store(address, value[: len(mask)])
    lines = walk([storing(register, mask, "r1", "r2.xyzw", shape)], len(rows))
    declared = [*TABLES, declaration(register, shape)]
    before = memory(shape).array()
    if register.startswith("g"):
        declared.append("dcl_uav_raw u0")
        lines = [*filling(register, shape), *lines, *draining(register, shape)]
        before = np.zeros_like(before)
    name = f"{profile} " * (profile != "cs_5_0") + f"store to {named(shape, register)}, .{mask}"
    arguments = {"t1": where, "t2": values, "u0": before}
    return Case(name, program(lines, declared, profile), arguments, {"u0": left.array()})


def null_store_case(shape: Shape) -> Case:
    """The stores are dropped; loads from the same addresses give 0."""
    lines = [
        "mov r1.xyzw, l(0, 0, 0, 0)",
        "mov r2.xyzw, l(1, 2, 3, 4)",
        storing("u0", "xyzw", "r1", "r2.xyzw", shape),
        loading("r3.xyzw", "r1", "u0", "xyzw", shape),
        "store_raw u1.xyzw, l(0), r3.xyzw",
    ]
    declared = [declaration("u0", shape), "dcl_uav_raw u1"]
    return Case(
        f"null store to {named(shape, 'u0')}",
        program(lines, declared, "cs_5_0"),
        {"u0": None, "u1": words(1, 2, 3, 4)},
        {"u1": words(0, 0, 0, 0)},
    )


MEMORY_CASES: tuple[Case, ...] = (
    *(load_case(register, shape) for register in ("t0", "u0", "g0") for shape in SHAPES),
    *(load_case("t0", shape, feedback=True) for shape in (None, (12, 5))),
    *(
        load_case(register, shape, null=True)
        for register in ("t0", "u0")
        for shape in (None, (12, 5))
    ),
    *(load_case("t0", shape, profile="cs_4_0") for shape in (None, (12, 5))),
    *(store_case("u0", shape, mask) for shape in SHAPES for mask in _MASKS),
    *(store_case("g0", shape, mask) for shape in (None, (12, 5)) for mask in ("x", "xyz", "xyzw")),
    *(null_store_case(shape) for shape in (None, (12, 5))),
    *(store_case("u0", shape, "xyz", profile="cs_4_0") for shape in (None, (12, 5))),
)
