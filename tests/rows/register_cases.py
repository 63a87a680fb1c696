"""x#, thread inputs and interfaces: x#, v*, `fcall`. Source: FS §7.

`tests/bounds` and `tests/constants` have constants by an index.
"""

import numpy as np

from translate.linkage import ClassInstance

from ..listings import listing, load, store
from .case import Array, Case, words

THREADS = 64
_INDICES = (0, 1, 2, 3, 4, 5, 6, 7, 8, 4095, 4096, 0x0FFFFFFF, 0x10000000, 0x7FFFFFFF, 0x80000000,
            0xFFFFFFFD, 0xFFFFFFFE, 0xFFFFFFFF)  # fmt: skip
_DECLARED = ("dcl_resource_structured t0, 16", "dcl_uav_structured u0, 16")


def indices() -> Array:
    """u32[threads, 4]: an index in x, values in the others."""
    values = np.arange(4 * THREADS, dtype=np.uint32).reshape(-1, 4) + 1000
    values[:, 0] = np.resize(np.array(_INDICES, np.uint32), THREADS)
    return values


# --- x#[] ---------------------------------------------------------------------------------------


def indexable_temps() -> Case:
    """All elements are written, then one by an index; the neighbouring array must not change."""
    lines = [load("r0", "t0")]
    for i in range(4):
        lines += [
            f"mov x0[{i}].xyz, l({i + 1}, {i + 11}, {i + 21}, 0)",
            f"mov x1[{i}].x, l({i + 31})",
        ]
    lines += ["mov x0[r0.x + 1].xz, r0.yyww", "mov x1[r0.x + 0].x, r0.z"]
    lines += [f"mov r{2 + i}.xyz, x0[{i}].xyzx" for i in range(4)]
    lines += [f"mov r{2 + i}.w, x1[{i}].x" for i in range(4)]
    lines += [
        f"store_structured u0.xyzw, vThreadID.x, l({16 * i}), r{2 + i}.xyzw" for i in range(4)
    ]
    expected = np.zeros((THREADS, 4, 4), np.uint32)
    for row, (index, y, z, w) in zip(expected, indices().tolist(), strict=True):
        row[:] = [[i + 1, i + 11, i + 21, i + 31] for i in range(4)]
        at = (index + 1) % 2**32
        if at < 4:
            row[at][[0, 2]] = [y, w]
        if index < 4:
            row[index][3] = z
    declared = [_DECLARED[0], "dcl_uav_structured u0, 64"]
    declared += ["dcl_indexableTemp x0[4], 3", "dcl_indexableTemp x1[4], 1"]
    return Case(
        "x0[r0.x + 1] written",
        listing(lines, declared),
        {"t0": indices(), "u0": np.zeros((THREADS, 16), np.uint32)},
        {"u0": expected.reshape(THREADS, 16)},
    )


def indexable_temps_read() -> Case:
    """Reads by an index in another x#, moved by 2."""
    table = np.arange(4001, 4013, dtype=np.uint32).reshape(3, 4)
    lines = [load("r0", "t0"), "mov x1[0].x, r0.x"]
    for i, row in enumerate(table.tolist()):
        lines.append(f"mov x0[{i}].xyzw, l({', '.join(map(hex, row))})")
    lines += ["mov r1.xyzw, x0[x1[0].x + 2].wzyx", store("r1")]
    declared = [*_DECLARED, "dcl_indexableTemp x0[3], 4", "dcl_indexableTemp x1[1], 4"]
    places = [(int(index) + 2) % 2**32 for index in indices()[:, 0]]
    expected = [table[at][::-1] if at < len(table) else np.zeros(4) for at in places]
    return Case(
        "x0[x1[0].x + 2] read",
        listing(lines, declared),
        {"t0": indices(), "u0": np.zeros((THREADS, 4), np.uint32)},
        {"u0": np.array(expected, np.uint32)},
    )


# --- thread inputs ------------------------------------------------------------------------------


def thread_inputs() -> Case:
    """A group of 4 x 3 x 2 threads, 2 x 3 x 1 groups of them (FS §18.6.4)."""
    group, groups = (4, 3, 2), (2, 3, 1)
    lines = [
        "imul null, r0.x, vThreadID.z, l(9)",
        "iadd r0.x, r0.x, vThreadID.y",
        "imul null, r0.x, r0.x, l(8)",
        "iadd r0.x, r0.x, vThreadID.x",
        "mov r1.xyz, vThreadID.xyzx",
        "mov r1.w, vThreadIDInGroupFlattened.x",
        "mov r2.xyz, vThreadGroupID.xyzx",
        "mov r2.w, l(0)",
        "mov r3.xyzw, vThreadIDInGroup.zyxx",
        *(f"store_structured u0.xyzw, r0.x, l({16 * i}), r{i + 1}.xyzw" for i in range(3)),
    ]
    inputs = ["vThreadID.xyz", "vThreadGroupID.xyz", "vThreadIDInGroup.xyz"]
    inputs.append("vThreadIDInGroupFlattened")
    z, y, x = np.mgrid[:2, :9, :8].reshape(3, -1)
    inner, none = (z, y % 3, x % 4, x % 4), np.zeros_like(x)
    flat = z * 12 + y % 3 * 4 + x % 4
    expected = np.stack([x, y, z, flat, x // 4, y // 3, none, none, *inner], axis=1)
    return Case(
        "thread inputs",
        listing(lines, ["dcl_uav_structured u0, 48"], group=group, inputs=inputs),
        {"u0": np.zeros((8 * 9 * 2, 12), np.uint32)},
        {"u0": expected.astype(np.uint32)},
        groups,
    )


# --- interfaces ---------------------------------------------------------------------------------


def interface(table: int) -> Case:
    """`fcall` of one of two bodies; the second reads the data of its instance."""
    lines = [load("r0", "t0"), "mov r1.xyzw, l(0, 0, 0, 0)", "fcall fp0[0][0]", store("r1"), "ret",
             "label fb0", "imul null, r1.x, r0.x, l(3)", "ret",
             "label fb1", "mov r0.yz, this[0].yyxy", "iadd r1.x, r0.x, cb[r0.z + 0][r0.y + 0].x",
             ]  # fmt: skip
    declared = [
        "dcl_constantbuffer cb0[2], immediateIndexed",
        *_DECLARED,
        "dcl_function_body fb0",
        "dcl_function_body fb1",
        "dcl_function_table ft0 = {fb0}",
        "dcl_function_table ft1 = {fb1}",
        "dcl_interface fp0[1][1] = {ft0, ft1}",
    ]
    instance = ClassInstance("chosen", table, constant_buffer=0, constant_offset=1, table=table)
    given = indices()
    expected = np.zeros_like(given)
    expected[:, 0] = given[:, 0] * 3 if table == 0 else given[:, 0] + 50
    constants = words(10, 20, 30, 40, 50, 60, 70, 80).reshape(2, 4)
    return Case(
        f"fcall of ft{table}",
        listing(lines, declared),
        {"t0": given, "cb0": constants, "u0": np.zeros_like(given)},
        {"u0": expected},
        options={"class_instances": {"fp0": instance}},
    )


REGISTER_CASES: tuple[Case, ...] = (
    indexable_temps(),
    indexable_temps_read(),
    thread_inputs(),
    interface(0),
    interface(1),
)
