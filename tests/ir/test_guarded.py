"""verify_guards checks guarded accesses, and nothing else."""

from collections.abc import Callable

import pytest

from checks.guarded import verify_guards
from translate.errors import VerifyError
from translate.ir import ops
from translate.ir.memory import Access, ImageShape, MemoryKind, Report, Resource
from translate.ir.tables import View
from translate.ir.types import U32, Type
from translate.ir.values import Module, Value
from translate.passes.guards.bounds import guard_bounds
from translate.passes.guards.rules import POLICIES

from ..unit.ir.building import Small

KINDS = MemoryKind
IMAGE = Resource("u4", KINDS.TYPED, 4, is_uav=True, shape=ImageShape(2))
TEXTURE = Resource("t4", KINDS.TYPED, 4, shape=ImageShape(2))
SAMPLES = Resource("t5", KINDS.TYPED, 5, shape=ImageShape(2, multisampled=True))
CONSTANTS = Resource("cb0", KINDS.CONSTANTS, 0, length=4)
ARRAY = Resource("u6", KINDS.RAW, 6, is_uav=True, count=3)
TABLED = Resource("u7", KINDS.RAW, 7, is_uav=True, count=3)
Make = Callable[[Small], object]


def _texel(small: Small, resource: Resource, *rest: Value) -> Value:
    access, at = Access(resource, 2), [small.thread(), small.thread(1), *rest]
    return small.b.load_typed(Type.TEXEL_U32, access, at)


def _of_array(small: Small, resource: Resource) -> Value:
    return small.b.emit(ops.LOAD, U32, [small.thread(), small.thread(1)], Access(resource, 1))


def _store_texel(small: Small) -> None:
    at, texel = [small.thread(), small.thread(1)], small.b.constant(Type.TEXEL_U32, 0)
    small.b.store_typed(Access(IMAGE, 2), at, texel)


# The name of an access after the guards -> accesses as lowering makes them
ACCESSES: dict[str, dict[str, Make]] = {
    "load_element": {
        "raw": lambda s: s.b.load(Access(s.u0, 1, 1), [s.thread()]),
        "at a constant": lambda s: s.b.load(Access(s.u0, 1), [s.b.u32(8)]),
        "structured": lambda s: s.b.load(Access(s.u1, 2), [s.thread(), s.thread(1)]),
        "nested": lambda s: s.b.load(Access(s.u1, 2), [s.thread(), s.b.u32(4)]),
        "shared": lambda s: s.b.load(Access(s.g0, 1), [s.thread()]),
        "constant": lambda s: s.b.load(Access(CONSTANTS, 1), [s.thread()]),
        "x#": lambda s: s.b.load(Access(s.x0, 1), [s.thread()]),
        "array": lambda s: _of_array(s, ARRAY),
        "array with a table of sizes": lambda s: _of_array(s, TABLED),
    },
    "store_element": {
        "x#": lambda s: s.b.store(Access(s.x0, 1), [s.thread()], [s.b.u32(1)]),
        "two": lambda s: s.b.store(Access(s.u0, 1), [s.thread()], [s.b.u32(1)] * 2),
    },
    "atomic_element": {
        "add": lambda s: s.b.atomic(Access(s.u0, 1, 0, "iadd"), [s.thread()], [s.b.u32(1)]),
        "exchange": lambda s: s.b.atomic(
            Access(s.g0, 1, 0, "cmp_exch"), [s.thread()], [s.b.u32(1)] * 2
        ),
    },
    "load_texel": {
        "image": lambda s: _texel(s, IMAGE),
        "mip": lambda s: _texel(s, TEXTURE, s.thread(2)),
        "first mip": lambda s: _texel(s, TEXTURE, s.b.u32(0)),
        "sample": lambda s: _texel(s, SAMPLES, s.thread(2)),
    },
    "store_texel": {"image": _store_texel},
}
every = pytest.mark.parametrize(
    ("after", "make"),
    [
        pytest.param(after, make, id=f"{after} {name}")
        for after, makers in ACCESSES.items()
        for name, make in makers.items()
    ],
)


def made(make: Make, mode: str) -> Module:
    small = Small()
    small.known(TABLED, View(size_table=True))
    make(small)
    module = small.finish()
    guard_bounds(module, POLICIES[mode]).note_in(module)
    return module


@every
def test_guarded_accesses_pass(after: str, make: Make) -> None:
    module = made(make, "d3d")
    assert after in {value.op.name for value in module.walk()}
    verify_guards(module)


@every
def test_unguarded_accesses_are_refused(after: str, make: Make) -> None:
    with pytest.raises(VerifyError, match=f"^{after} has the index 0, which no cond"):
        verify_guards(made(make, "off"))


@every
def test_each_condition_is_needed(after: str, make: Make) -> None:
    """Comparisons of other values do not bound the index."""
    count = len([v for v in made(make, "d3d").walk() if v.op is ops.ULT])
    assert count
    for number in range(count):
        module = made(make, "d3d")
        test = [v for v in module.walk() if v.op is ops.ULT][number]
        test.args = [Value(ops.INPUT, U32, [], ("vThreadID", 0), test.where), test.args[1]]
        with pytest.raises(VerifyError, match="which no condition bounds"):
            verify_guards(module)


@pytest.mark.parametrize(
    ("count", "word", "offset"), [(1, 4, None), (3, 4, 2), (1, 3, None), (1, 5, None), (3, 4, 3)]
)
def test_words_of_the_report(count: int, word: int, offset: int | None) -> None:
    """Words with the number of vectors that constant buffers lack need no check; others do."""
    small = Small()
    report = Resource("report", KINDS.RAW, 0, is_uav=True)
    constants = Resource("cb1", KINDS.CONSTANTS, 1, length=4, count=count)
    small.module.report = Report(report, 5, {constants: 4})
    at = small.b.u32(word)
    if offset is not None:
        at = small.b.emit(ops.IADD, U32, [at, small.b.u32(offset)])
    small.load(report, at)
    module = small.finish()
    if word == 4 and (offset or 0) < count:
        verify_guards(module)
        return
    with pytest.raises(VerifyError, match="load_element has the index 0"):
        verify_guards(module)


def test_a_check_of_another_value_does_not_count() -> None:
    small = Small()
    with small.b.selection(small.b.ult(small.thread(), small.b.u32(4))):
        small.store(small.b.u32(1), index=9)
    with pytest.raises(VerifyError, match="store_element has the index 0") as caught:
        verify_guards(small.finish())
    assert "store_element 9, 1 (u0.0)" in caught.value.message


def test_the_other_arm_is_not_checked() -> None:
    small = Small()
    index = small.thread()
    then, other = (type(small.module.body)() for _ in range(2))
    outer = small.b.block
    small.within(then)
    small.end(ops.YIELD)
    small.within(other).emit(ops.LOAD_ELEMENT, U32, [index], Access(small.u0, 1))
    small.end(ops.YIELD)
    small.within(outer)
    condition = small.b.ult(index, small.b.u32(4))
    small.construct(ops.IF, [condition], (then, other))
    with pytest.raises(VerifyError, match="load_element has the index 0"):
        verify_guards(small.finish())
