"""Typed buffers and sizes: `ld`, `ld_uav_typed`, `store_uav_typed`, `bufinfo`. Source: FS §22.4."""

from __future__ import annotations

from typing import Any

import numpy as np

from .case import Array, Case, words
from .listing import listing, load, store

COUNT = 11
_COORDINATES = (0, 1, 5, COUNT - 1, COUNT, COUNT + 1, 2**27, 2**30, 2**31, 2**32 - 1)
ONE = {"float": 0x3F800000, "uint": 1, "sint": 1}
_DTYPES = {"float": np.float32, "uint": np.uint32, "sint": np.int32}
# 32-bit components are not changed, whatever their bits (FS §3.2.3)
_PATTERNS = (0x3F800000, 0x80000000, 0x00000001, 0x7F800000, 0x7F800001, 0xFFC12345, 0xFFFFFFFF,
             0x7FFFFFFF, 5)  # fmt: skip


def elements(component: str, channels: int) -> Array:
    values = np.resize(np.array(_PATTERNS, np.uint32), (COUNT, channels)).view(_DTYPES[component])
    return values if channels > 1 else values.reshape(-1)


def coordinates() -> Array:
    given = np.zeros((len(_COORDINATES), 4), np.uint32)
    given[:, 0] = _COORDINATES
    given[:, 1:] = 0x7777  # components beyond the dimension are ignored
    return given


def loaded(array: Array, component: str, null: bool) -> Array:
    """Outside, the format's components are 0 and a missing alpha is 1; a null view is all 0."""
    rows = np.zeros((len(_COORDINATES), 4), np.uint32)
    if null:
        return rows
    texels = np.ascontiguousarray(array).view(np.uint32).reshape(COUNT, -1)
    channels = texels.shape[1]
    rows[:, 3] = 0 if channels == 4 else ONE[component]
    for row, at in zip(rows, _COORDINATES, strict=True):
        if at < COUNT:
            row[:channels] = texels[at]
    return rows


def typed_load(
    register: str, component: str, channels: int, null: bool = False, feedback: bool = False
) -> Case:
    """`ld` of t0 or `ld_uav_typed` of u0 at every coordinate; the swizzle is reversed."""
    uav = register.startswith("u")
    name = "ld_uav_typed" if uav else "ld"
    kinds = ",".join([component] * 4)
    suffix = "_s" if feedback else f"_indexable(buffer)({kinds})"
    status = ", r2.x" if feedback else ""
    lines = [load("r0", "t1"), f"{name}{suffix} r1.xyzw{status}, r0.xyzw, {register}.wzyx"]
    if feedback:
        lines += ["check_access_fully_mapped r2.x, r2.x", "and r1.xyzw, r1.xyzw, r2.xxxx"]
    lines.append(store("r1", resource="u1"))
    kind = f"dcl_{'uav_typed' if uav else 'resource'}_buffer ({kinds}) {register}"
    array = elements(component, channels)
    given = coordinates()
    title = f"{'null ' * null}{name}{'_s' * feedback} of {channels} x {component}"
    found = loaded(array, component, null)
    return Case(
        title,
        listing(lines, ["dcl_resource_structured t1, 16", "dcl_uav_structured u1, 16", kind]),
        {"t1": given, "u1": np.full_like(given, 0xCC), register: None if null else array},
        {"u1": np.ascontiguousarray(found[:, ::-1])},
    )


def typed_store(component: str, channels: int) -> Case:
    """Stores of texels at different coordinates; those outside are dropped."""
    before = elements(component, channels)
    after = before.copy()
    given = coordinates()
    values = np.resize(np.array(_PATTERNS[::-1], np.uint32), (len(given), 4))
    values[:, 1] ^= 1
    texels = after.view(np.uint32).reshape(COUNT, -1)
    for at, value in zip(_COORDINATES, values, strict=True):
        if at < COUNT:
            texels[at] = value[:channels]
    kinds = ",".join([component] * 4)
    lines = [load("r0", "t0"), load("r1", "t1"), "store_uav_typed u0.xyzw, r0.xxxx, r1.xyzw"]
    declared = ["dcl_resource_structured t0, 16", "dcl_resource_structured t1, 16"]
    # A thread past the table would store to element 0, in an undefined order with the first one.
    lines[0:0] = [f"ult r2.x, vThreadID.x, l({len(given)})", "retc_z r2.x"]
    return Case(
        f"store_uav_typed of {channels} x {component}",
        listing(lines, [*declared, f"dcl_uav_typed_buffer ({kinds}) u0"]),
        {"t0": given, "t1": values, "u0": before},
        {"u0": after},
    )


def null_typed_store() -> Case:
    """The store is dropped; a load gives 0."""
    lines = ["store_uav_typed u0.xyzw, l(0, 0, 0, 0), l(1, 2, 3, 4)",
             "ld_uav_typed_indexable(buffer)(uint,uint,uint,uint) r0.xyzw, l(0, 0, 0, 0), u0.xyzw",
             "store_raw u1.xyzw, l(0), r0.xyzw"]  # fmt: skip
    return Case(
        "null store_uav_typed",
        listing(lines, ["dcl_uav_typed_buffer (uint,uint,uint,uint) u0", "dcl_uav_raw u1"]),
        {"u0": None, "u1": words(1, 2, 3, 4)},
        {"u1": words(0, 0, 0, 0)},
    )


# --- sizes --------------------------------------------------------------------------------------

_SIZED: tuple[tuple[str, str, str, Any, int], ...] = (  # register, declaration, kind, array, size
    ("t0", "dcl_resource_raw t0", "raw_buffer", np.zeros(7, np.uint32), 28),
    ("t1", "dcl_resource_structured t1, 12", "structured_buffer, stride=12",
     np.zeros((5, 3), np.uint32), 5),
    ("t2", "dcl_resource_buffer (uint,uint,uint,uint) t2", "buffer",
     np.zeros((6, 4), np.uint32), 6),
    ("u0", "dcl_uav_raw u0", "raw_buffer", np.zeros(9, np.uint32), 36),
    ("u1", "dcl_uav_structured u1, 8", "structured_buffer, stride=8",
     np.zeros((3, 2), np.uint32), 3),
    ("u2", "dcl_uav_typed_buffer (sint,sint,sint,sint) u2", "buffer", np.zeros(13, np.int32), 13),
)  # fmt: skip
_RETURNS = {"buffer": "(sint,sint,sint,sint)"}


def sizes(null: bool) -> Case:
    """Bytes of raw views, numbers of structures and elements, in all components (FS §22.4.1)."""
    lines = ["mov r0.xyzw, l(0, 0, 0, 0)"]
    arguments: dict[str, Any] = {"u7": np.full((len(_SIZED), 4), 0xCC, np.uint32)}
    for i, (register, declared, kind, array, _) in enumerate(_SIZED):
        returns = "(mixed,mixed,mixed,mixed)" if kind != "buffer" else ""
        returns = returns or "(" + declared.partition("(")[2].partition(")")[0] + ")"
        lines.append(f"bufinfo_indexable({kind}){returns} r0.xyw, {register}.ywzx")
        lines.append(f"store_structured u7.xyzw, l({i}), l(0), r0.xyzw")
        arguments[register] = None if null else array
    expected = np.zeros((len(_SIZED), 4), np.uint32)
    if not null:
        expected[:, [0, 1, 3]] = np.array([[size] for *_, size in _SIZED])
    return Case(
        f"bufinfo of {'null views' if null else 'views'}",
        listing(lines, [*(row[1] for row in _SIZED), "dcl_uav_structured u7, 16"], group=(1, 1, 1)),
        arguments,
        {"u7": expected},
    )


TYPED_CASES: tuple[Case, ...] = (
    *(typed_load("t0", c, n) for c in ("float", "uint", "sint") for n in (1, 2, 4)),
    *(typed_load("u0", c, n) for c in ("float", "uint", "sint") for n in (1, 4)),
    *(typed_load(r, "uint", 1, null=True) for r in ("t0", "u0")),
    *(typed_load(r, "float", 1, feedback=True) for r in ("t0", "u0")),
    *(typed_store(c, n) for c in ("float", "uint", "sint") for n in (1, 2, 4)),
    null_typed_store(),
    sizes(null=False),
    sizes(null=True),
)
