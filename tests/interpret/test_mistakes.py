"""The check of passes can fail: it catches mistakes of many kinds, made in the result of a pass."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from translate.errors import NOWHERE
from translate.ir import ops, row
from translate.ir.memory import MemoryKind
from translate.ir.ops import Op
from translate.ir.types import BOOL, F32, U32, Type
from translate.ir.values import Block, Module, Value
from translate.passes.pipeline import Pass

from ..ir.corpus import ROOT
from .passes import PassError, check_passes
from .subjects import of_corpus

# Changes an operation of a module's block; False if this is no place for the mistake
Mistake = Callable[[Module, Block, Value], object]


def _constant(type_: Type, bits: int) -> Value:
    return Value(ops.CONST, type_, [], bits, NOWHERE)


def _replace_uses(module: Module, old: Value, new: Value) -> None:
    for value in module.walk():
        value.args = [new if arg is old else arg for arg in value.args]


def _swap_operands(module: Module, block: Block, value: Value) -> None:
    value.args = [*value.args[:-2], *value.args[:-3:-1]]


def _swap_blocks(module: Module, block: Block, value: Value) -> None:
    value.blocks = value.blocks[::-1]


def _drop(module: Module, block: Block, value: Value) -> None:
    block.values.remove(value)


def _drop_guard(module: Module, block: Block, value: Value) -> bool:
    """Store without a check."""
    value.args = [_constant(BOOL, 1)]
    return any(inner.op is ops.STORE_ELEMENT for inner in value.blocks[0].values)


def _drop_choice(module: Module, block: Block, value: Value) -> bool:
    """Load from an index that failed its check, or convert a float that does not fit."""
    if value.args[0].op is not ops.SELECT:
        return False
    value.args[0] = value.args[0].args[1]
    return True


def _forget_flush(module: Module, block: Block, value: Value) -> None:
    _replace_uses(module, value, value.args[0])


def _forget_window(module: Module, block: Block, value: Value) -> None:
    """Use an index of the view as an index of the buffer."""
    _replace_uses(module, value, _constant(U32, 0))


def _shift_too_far(module: Module, block: Block, value: Value) -> bool:
    """Shift by one bit too many, like a division by the wrong power of two."""
    bits = value.args[1].constant_bits
    value.args[1] = value.args[1] if bits is None else _constant(U32, bits + 1 & 31)
    return bits is not None


def _merge_another(module: Module, block: Block, value: Value) -> bool:
    """Start each round of a loop with the last round's initial values."""
    (body,) = value.blocks
    again = body.params and body.values[-1].op is ops.CONTINUE
    if again:
        body.values[-1].args = [*body.params]
    return bool(again)


def _replace(module: Module, block: Block, value: Value, data: object) -> None:
    """Replace an operation by the same one with another attribute."""
    new = Value(value.op, value.type, value.args, data, value.where)
    block.values[block.values.index(value)] = new
    _replace_uses(module, value, new)


def _read_another_component(module: Module, block: Block, value: Value) -> bool:
    access = row.ACCESS.of(value)
    if access.resource.kind is not MemoryKind.CONSTANTS:
        return False
    _replace(module, block, value, replace(access, component=3 - access.component))
    return True


def _change_atomic(module: Module, block: Block, value: Value) -> bool:
    access = row.ATOMIC.of(value)
    if access.operation != "iadd":
        return False
    _replace(module, block, value, replace(access, operation="umax"))
    return True


def _first_operand(type_: Type, bits: int) -> Mistake:
    def mistake(module: Module, block: Block, value: Value) -> None:
        value.args[0] = _constant(type_, bits)

    return mistake


_LOADS = (ops.LOAD, ops.LOAD_ELEMENT, ops.LOAD_VECTOR)
_ATOMICS = (ops.ATOMIC, ops.ATOMIC_ELEMENT)
_COUNT_TWICE, _REPORT_ANOTHER_CAUSE = _first_operand(U32, 2), _first_operand(U32, 2)
_SAMPLE_ELSEWHERE = _first_operand(F32, 0x3F400000)
_INTEGERS, _FLOATS = (f"coverage/compiled/{name}_alu.cs_5_0.O3" for name in ("integer", "float"))
_BOUNDS, _SAXPY, _BRANCHES = (f"corpus/cs_5_0/{n}" for n in ("bounds", "saxpy", "branches"))

# After which pass, in which shader, the operations and the mistake, and the problem that is found
MISTAKES: list[tuple[str, str, tuple[Op, ...], Mistake, str]] = [
    ("simplify", _INTEGERS, (ops.ISUB,), _swap_operands, "u0 has"),
    ("guard_bounds", _BOUNDS, (ops.SELECT,), _swap_operands, ""),
    ("promote_registers", _BRANCHES, (ops.IF,), _swap_blocks, ""),
    ("remove_dead", _SAXPY, (ops.STORE,), _drop, "u0 has"),
    ("guard_bounds", _BOUNDS, (ops.IF,), _drop_guard, "store_element accesses element"),
    ("guard_bounds", _BOUNDS, _LOADS, _drop_choice, "load_vector accesses element"),
    ("simplify", _INTEGERS, (ops.USHR, ops.ISHL), _shift_too_far, ""),
    ("flush_denormals", _FLOATS, (ops.FLUSH,), _forget_flush, "u0 has"),
    ("promote_registers", _BRANCHES, (ops.LOOP,), _merge_another, ""),
    ("retype_merges", "constants/vectors", _LOADS, _read_another_component, "u0 has"),
    ("simplify", "corpus/cs_5_0/reduce", (ops.BARRIER,), _drop, "threads race"),
    ("apply_windows", _SAXPY, (ops.WINDOW_FIRST,), _forget_window, "accesses element -"),
    ("guard_bounds", _BOUNDS, (ops.REPORT,), _REPORT_ANOTHER_CAUSE, "is not reported"),
    ("guard_bounds", "corpus/cs_5_0/histogram", _ATOMICS, _change_atomic, "u0 has"),
    (
        *("promote_registers", _INTEGERS, (ops.F_TO_S32, ops.F_TO_U32), _drop_choice),
        "is undefined here",
    ),
    (
        *("remove_dead", "corpus/cs_5_0/append_consume", (ops.COUNTER_ADD,), _COUNT_TWICE),
        "hidden counters",
    ),
    (
        *("limit_sample_operands", "corpus/cs_5_0/resample", (ops.SAMPLE,), _SAMPLE_ELSEWHERE),
        "u0 has",
    ),
]


def _places(module: Module, wanted: tuple[Op, ...]) -> Iterator[tuple[Block, Value]]:
    """The operations of some kinds, with their blocks."""
    work = module.bodies()
    while work:
        block = work.pop()
        for value in [*block.values]:
            work += value.blocks
            if value.op in wanted:
                yield block, value


@pytest.mark.parametrize(("wrong", "shader", "wanted", "mistake", "found"), MISTAKES)
def test_a_mistake_is_caught(
    wrong: str, shader: str, wanted: tuple[Op, ...], mistake: Mistake, found: str
) -> None:
    done: list[object] = []

    def change(module: Module, after: Pass) -> None:
        if after.name == wrong:
            done.extend(mistake(module, *place) for place in [*_places(module, wanted)])

    options = "report" if ops.REPORT in wanted else "d3d"
    with pytest.raises(PassError, match=f"after {wrong}: .*{found}"):
        check_passes(of_corpus(ROOT / "tests" / f"{shader}.dxbc", options, 0), change)
    assert {*done} - {False}


@pytest.mark.parametrize("shader", sorted({one[1] for one in MISTAKES}))
def test_without_a_mistake_there_is_nothing_to_catch(shader: str) -> None:
    check_passes(of_corpus(ROOT / "tests" / f"{shader}.dxbc", "d3d", 0))
