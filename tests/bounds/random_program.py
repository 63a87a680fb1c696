"""Random programs of wild accesses: their steps, their listing, and their expected results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..rows.case import Array
from ..rows.listing import listing, literal
from ..rows.memory_cases import Shape, declaration, loading, storing
from .spaces import GROUP, SLOT_DWORDS, SLOT_TEXELS, THREADS, Form, Space

MARK = 0xCCCCCCCC  # in what a step does not load
TABLE_STRIDE = 32  # index, byte offset, whether to do it, -, four values
_WILD = (0x7FFFFFFF, 0x80000000, 0x80000001, 0x40000000, 0x40000001, 0x10000001, 0x0CCCCCCD,
         0x15555556, 0x20000001, 0xFFFFFFF0, 0xFFFFFFF4, 0xFFFFFFF8, 0xFFFFFFFC, 0xFFFFFFFE,
         0xFFFFFFFF)  # fmt: skip

# (instruction, thread, register, index, byte offset, cause, defined)
Reported = tuple[int, int, str, int, int, str, bool]


@dataclass(eq=False)
class Step:
    """One access by all threads for which `active` holds.

    `bound` limits the index (the byte offset of a raw memory) by an `and` or `umin` before the
    access, from which the translator can prove a range. `ahead` is added to a vector's index.
    `instruction` is the number of the access in the listing.
    """

    space: Space
    action: str  # load, store, atomic
    width: int
    index: Array
    offset: Array
    active: Array
    values: Array
    branches: bool
    bound: tuple[str, int] | None = None
    ahead: int = 0
    instruction: int = -1

    def address(self) -> tuple[Array, Array]:
        """The instruction's index and byte offset, u32[threads] each."""
        index, offset = self.index, self.offset
        if self.bound is not None:
            cut = np.bitwise_and if self.bound[0] == "and" else np.minimum
            if self.space.form is Form.RAW:
                offset = cut(offset, np.uint32(self.bound[1]))
            else:
                index = cut(index, np.uint32(self.bound[1]))
        return index + np.uint32(self.ahead), offset


def random_steps(rng: np.random.Generator, spaces: Sequence[Space], count: int) -> list[Step]:
    """Steps on random spaces; a quarter of the addresses is wild."""
    steps: list[Step] = []
    for _ in range(count):
        space = spaces[int(rng.integers(len(spaces)))]
        action = "atomic" if space.atomic else "load"
        if space.owned and rng.random() < 0.5:
            action = "store"
        width = 1 if space.atomic else int(rng.integers(1, 5))
        index, offset = _owned(rng, space, width) if space.owned else _anywhere(rng, space)
        _make_wild(rng, space, index, offset)
        step = Step(space, action, width, index, offset, np.ones(THREADS, bool), _words(rng), False)
        if rng.random() < 0.3:
            step.branches, step.active = True, rng.random(THREADS) < 0.6
        if not space.owned and rng.random() < 0.4:
            most = int(rng.integers(1, 2 * space.full * _unit(space) + 2))
            step.bound = (str(rng.choice(["and", "umin"])), most)
        if space.form is Form.VECTORS and rng.random() < 0.5:
            step.ahead = int(rng.integers(1, 4))
        steps.append(step)
    return steps


def _words(rng: np.random.Generator) -> Array:
    return rng.integers(1, 2**32, (THREADS, 4), np.uint32)


def _unit(space: Space) -> int:
    return 4 if space.form is Form.RAW else 1


def _misaligned(rng: np.random.Generator, dwords: Array) -> Array:
    low = np.where(rng.random(THREADS) < 0.1, rng.integers(1, 4, THREADS), 0)
    return (4 * dwords + low).astype(np.uint32)


def _owned(rng: np.random.Generator, space: Space, width: int) -> tuple[Array, Array]:
    """Places in the thread's own slot; an access may pass the end of its structure."""
    owners, zeros = space.owners(), np.zeros(THREADS, np.uint32)
    if space.form is Form.RAW:
        dwords = SLOT_DWORDS * owners + rng.integers(0, SLOT_DWORDS - width + 1, THREADS)
        return zeros, _misaligned(rng, dwords)
    if space.form is Form.STRUCTURED:
        return owners.astype(np.uint32), _misaligned(rng, rng.integers(0, 5, THREADS))
    if space.form is Form.TYPED:
        slots = SLOT_TEXELS * owners + rng.integers(0, SLOT_TEXELS, THREADS)
        return slots.astype(np.uint32), zeros
    return rng.integers(0, space.full, THREADS, np.uint32), zeros


def _anywhere(rng: np.random.Generator, space: Space) -> tuple[Array, Array]:
    index, zeros = rng.integers(0, space.full + 2, THREADS, np.uint32), np.zeros(THREADS, np.uint32)
    if space.form is Form.RAW:
        return zeros, _misaligned(rng, index)
    if space.form is Form.STRUCTURED:
        return index, _misaligned(rng, rng.integers(0, space.stride // 4 + 1, THREADS))
    return index, zeros


def _make_wild(rng: np.random.Generator, space: Space, index: Array, offset: Array) -> None:
    """Change some threads' addresses, in place, to ones outside of every slot."""
    beyond = space.full * _unit(space) + rng.integers(0, 9, THREADS)
    wild = np.where(rng.random(THREADS) < 0.3, beyond, rng.choice(_WILD, THREADS))
    wild = wild.astype(np.uint32)
    chosen = rng.random(THREADS) < 0.25
    if space.form is Form.RAW:
        offset[chosen] = wild[chosen]
        return
    far = chosen & (space.form is Form.STRUCTURED) & (rng.random(THREADS) < 0.5)
    offset[far] = np.maximum(wild[far], np.uint32(space.stride))
    index[chosen & ~far] = wild[chosen & ~far]


# --- the listing --------------------------------------------------------------------------------


def write_listing(
    spaces: Sequence[Space], steps: Sequence[Step], start: Sequence[str], end: Sequence[str]
) -> str:
    """Loads go to u7, a row for each step and thread; `start` and `end` stand around the steps."""
    body = [*start, "sync_g_t"]
    fetch = f"ld_structured_indexable(structured_buffer, stride={TABLE_STRIDE})"
    fetch += "(mixed,mixed,mixed,mixed)"
    for number, step in enumerate(steps):
        body.append(f"iadd r0.x, vThreadID.x, l({number * THREADS})")
        body.append(f"{fetch} r1.xyzw, r0.x, l(0), t10.xyzw")
        if step.action == "load":
            body.append(f"mov r3.xyzw, {literal([MARK] * 4)}")
        else:
            body.append(f"{fetch} r2.xyzw, r0.x, l(16), t10.xyzw")
        if step.bound is not None:
            place = "r1.y" if step.space.form is Form.RAW else "r1.x"
            body.append(f"{step.bound[0]} {place}, {place}, l({step.bound[1]})")
        if step.branches:
            body.append("if_nz r1.z")
        step.instruction = len(body)
        body.append(_line(step))
        body += ["endif"] * step.branches
        if step.action == "load":
            body.append("store_structured u7.xyzw, r0.x, l(0), r3.xyzw")
    declared = [*(_declared(space) for space in spaces), "dcl_uav_raw u6"]
    declared += ["dcl_uav_structured u7, 16", "dcl_resource_raw t11"]
    declared.append(f"dcl_resource_structured t10, {TABLE_STRIDE}")
    inputs = ("vThreadID.xyz", "vThreadIDInGroupFlattened")
    return listing([*body, "sync_g_t", *end], declared, group=(GROUP, 1, 1), inputs=inputs)


def _shape(space: Space) -> Shape:
    return None if space.form is Form.RAW else (space.stride, space.full)


def _declared(space: Space) -> str:
    register = space.register
    if space.form is Form.TYPED:
        kind = "uav_typed" if register.startswith("u") else "resource"
        return f"dcl_{kind}_buffer (uint,uint,uint,uint) {register}"
    if register == "icb":
        rows = space.dwords.reshape(-1, 4).tolist()
        vectors = ", ".join("{{ {}, {}, {}, {} }}".format(*map(hex, row)) for row in rows)
        return f"dcl_immediateConstantBuffer {{ {vectors} }}"
    if register.startswith("cb"):
        return f"dcl_constantbuffer {register}[{space.full}], dynamicIndexed"
    if register.startswith("x"):
        return f"dcl_indexableTemp {register}[{space.full}], 4"
    if register.startswith("g") and space.form is Form.RAW:
        return f"dcl_tgsm_raw {register}, {4 * space.full}"
    return declaration(register, _shape(space))


def _line(step: Step) -> str:
    space, letters = step.space, "xyzw"[: step.width]
    register = space.register
    if space.form is Form.VECTORS:
        vector = f"{register}[r1.x + {step.ahead}]"
        if step.action == "store":
            return f"mov {vector}.{letters}, r2.xyzw"
        return f"mov r3.{letters}, {vector}.xyzw"
    if space.form is Form.TYPED:
        return _typed_line(step)
    address = "r4" if space.form is Form.RAW else "r1"
    shape = _shape(space)
    if step.action == "atomic":
        at = "r1.y" if space.form is Form.RAW else "r1.xyxx"
        return f"atomic_{space.atomic} {register}, {at}, r2.x"
    if step.action == "store":
        line = storing(register, letters, address, "r2.xyzw", shape)
    else:
        line = loading(f"r3.{letters}", address, register, "xyzw", shape)
    return line.replace("r4.x", "r1.y")


def _typed_line(step: Step) -> str:
    register = step.space.register
    if step.action == "atomic":
        return f"atomic_{step.space.atomic} {register}, r1.x, r2.x"
    if step.action == "store":
        return f"store_uav_typed {register}.xyzw, r1.xxxx, r2.xyzw"
    name = "ld_uav_typed" if register.startswith("u") else "ld"
    return f"{name}_indexable(buffer)(uint,uint,uint,uint) r3.xyzw, r1.xxxx, {register}.xyzw"


# --- expected results ---------------------------------------------------------------------------


def perform(step: Step) -> Array:
    """Perform a step on its space; returns u7's rows, u32[threads, 4], 0 but for a load."""
    space, (index, offset) = step.space, step.address()
    row = np.zeros((THREADS, 4), np.uint32)
    if step.action == "atomic":
        space.update(index, offset, step.values[:, 0], step.active)
        return row
    width = 1 if space.form is Form.TYPED else step.width
    if step.action == "store":
        for component in range(width):
            space.store(index, offset, component, step.values[:, component], step.active)
        return row
    row[:] = MARK
    for component in range(width):
        row[step.active, component] = space.load(index, offset, component)[step.active]
    if space.form is Form.TYPED:
        row[step.active, 1:] = [0, 0, 1 if space.count else 0]
    return row


def reported(step: Step) -> Counter[Reported]:
    """The expected reports of a step."""
    space, (index, offset) = step.space, step.address()
    width = 1 if space.form in (Form.TYPED, Form.VECTORS) else step.width
    inside = np.ones(THREADS, bool)
    for component in range(width):
        inside &= space.locate(index, offset, component)[0]
    past = (space.form is Form.STRUCTURED) & (index < space.count)
    outside = np.where(past, "past the stride", "outside")
    cause = np.where(inside, "unaligned", outside)
    wrong = step.active & (~inside | (offset % 4 != 0))
    return Counter(
        (
            step.instruction, int(thread), space.register, int(index[thread]), int(offset[thread]),
            str(cause[thread]), bool(cause[thread] == "outside") and space.outside_is_defined,
        )
        for thread in np.flatnonzero(wrong)
    )  # fmt: skip
