"""verify checks every operation: the corpus has each one, and all damage to it is refused."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from translate.errors import NOWHERE, VerifyError
from translate.ir import ops
from translate.ir.row import Effect
from translate.ir.types import BOOL, F64, U32, VOID, Type
from translate.ir.values import Module, Value
from translate.ir.verify import verify

from ..unit.ir.building import Small
from .corpus import EVERY, stages

# These are in no block: constants are operands, merged values belong to constructs.
NOWHERE_IN_BLOCKS = {"const", "param", "result"}


def another(type_: Type) -> Type:
    """A wrong type in place of `type_`."""
    if type_ is VOID:
        return U32
    return F64 if type_ is BOOL else BOOL


def zero(type_: Type) -> Value:
    return Value(ops.CONST, type_, [], 0, NOWHERE)


@contextmanager
def kept(value: Value) -> Iterator[None]:
    """Undo damage that is made inside."""
    type_, args, data, blocks = value.type, value.args, value.data, value.blocks
    value.args = [*args]
    yield
    value.type, value.args, value.data, value.blocks = type_, args, data, blocks


def damages(value: Value) -> Iterator[str]:
    """Damage a value in each way, one at a time."""
    with kept(value):
        value.data = object()
        yield "another attribute"
    with kept(value):
        value.args.append(zero(Type.TEXEL_I32))
        yield "one operand too many"
    with kept(value):
        value.type = another(value.type)
        yield f"the type {value.type.text}"
    for position, arg in enumerate(value.args):
        with kept(value):
            value.args[position] = zero(another(arg.type))
            yield f"operand {position} of another type"
        with kept(value):
            value.args[position] = Value(ops.INPUT, arg.type, [], ("vThreadID", 0), NOWHERE)
            yield f"operand {position} from nowhere"
    if value.args:
        with kept(value):
            value.args = []
            yield "no operands"
    if value.op.effect is Effect.CONTROL:
        with kept(value):
            value.blocks = value.blocks[1:]
            yield "a block too few"


def check(module: Module, value: Value) -> None:
    for damage in damages(value):
        with pytest.raises(VerifyError) as caught:
            verify(module)
        shown = f"{value.op.name} with {damage}: {caught.value.message}"
        assert value.op.name in caught.value.message, shown


def rare() -> Module:
    """A module with the operations that the corpus lacks."""
    small = Small()
    b = small.b
    b.umul_high(b.u32(1), small.thread())
    b.limit_index(small.thread(), b.u32(7))
    b.f32_near_half(b.f32(0.5))
    b.lxor(b.nonzero(small.thread()), b.nonzero(small.thread(1)))
    return small.finish()


def modules() -> Iterator[Module]:
    """Of shaders from all over the list, since few of these have every operation."""
    yield rare()
    for case in (case for start in range(13) for case in EVERY[start::13]):
        for _, module in stages(case):
            yield module


@pytest.mark.slow(reason="every operation of every module is damaged")
def test_every_operation_is_checked() -> None:
    missing = set(ops.OPS) - NOWHERE_IN_BLOCKS
    for module in modules():
        for value in list(module.walk()):
            if value.op.name in missing:
                check(module, value)
                missing.discard(value.op.name)
        if not missing:
            return
    names = ", ".join(sorted(missing))
    raise AssertionError(f"{names}: in no shader of tests/ir/corpus.py, and not in `rare` above")
