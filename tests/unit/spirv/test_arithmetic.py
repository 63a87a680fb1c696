"""Pure operations: the instructions that their rows name."""

import dataclasses
import re

import pytest

from translate.ir import ops
from translate.ir.builder import Builder
from translate.ir.row import Generic, Op
from translate.ir.types import BOOL, F32, F64, U32, Type
from translate.ir.values import Value
from translate.spirv.arithmetic import EMITTERS, instruction
from translate.spirv.emit import emit_module
from translate.spirv.module import disassemble, validate
from translate.target_device import ANY_DEVICE, TargetDevice

from ...complete import check_complete
from ..ir.building import Small

FLUSHING = TargetDevice(float_modes={"denorm_flush_to_zero_32"})
NAMED = [op for op in ops.PURE if op.spirv]


def operand(b: Builder, place: object, thread: Value) -> Value:
    """A value of a fitting type, which a device cannot fold."""
    if place is BOOL:
        return b.ieq(thread, b.u32(3))
    if place is F64:
        return b.pack_f64(thread, thread)
    return b.bitcast(F32, thread) if place in (F32, Generic.FLOAT) else thread


def word(b: Builder, value: Value) -> Value:
    """A value's bits, or half of them."""
    if value.type is BOOL:
        return b.mask(value)
    return b.f64_low(value) if value.type is F64 else b.bitcast(U32, value)


def text_with(op: Op, device: TargetDevice = ANY_DEVICE) -> str:
    """The instructions of a module with the operation, after validation."""
    small = Small()
    small.module.resources.append(small.u0)
    args = [operand(small.b, place, small.thread(n % 3)) for n, place in enumerate(op.params)]
    generic = {Generic.FLOAT: F32, Generic.BITS32: F32}
    result = op.result if isinstance(op.result, Type) else generic[op.result]  # type: ignore[index]
    data = False if op.attribute.type is bool else None
    small.store(word(small.b, small.b.emit(op, result, args, data)))
    data = emit_module(small.finish(), lambda register: (0, 0), device=device).data
    validate(data, "vulkan1.1")
    return disassemble(data, "vulkan1.1")


@pytest.mark.parametrize("op", NAMED, ids=str)
def test_row_becomes_the_instruction_that_it_names(op: Op) -> None:
    """The numbers of `grammar` are those of SPIRV-Tools' names."""
    name = op.spirv if op.spirv.startswith("Op") else f"OpExtInst {op.spirv}"
    lines = (line.partition(" = ")[2].split() for line in text_with(op).splitlines())
    found = [f"{words[0]} {words[3]}" if words[0] == "OpExtInst" else words[0]
             for words in lines if words]  # fmt: skip
    assert name in found


def test_every_pure_operation_can_be_written() -> None:
    written = [*ops.PURE, ops.SPECIALIZED]
    check_complete(EMITTERS, written, "EMITTERS of translate/spirv/arithmetic.py")


@pytest.mark.parametrize("name", ["OpIadd", "Umin", "OpUMin", "IAdd", "__doc__", "Op__doc__"])
def test_unknown_instruction_is_refused(name: str) -> None:
    with pytest.raises(
        LookupError, match=f"iadd becomes {name}, which translate/spirv/grammar.py lacks"
    ):
        instruction(dataclasses.replace(ops.IADD, spirv=name))


def test_device_that_flushes_products_multiplies() -> None:
    """In place. Compilers remove a product with 1 that may be contracted, even if it flushes."""
    text = text_with(ops.FLUSH, FLUSHING)
    assert "OpFunctionCall" not in text
    product = re.search(r"(%\w+) = OpFMul %float %\w+ %float_1$", text, re.MULTILINE)
    assert product
    assert f"OpDecorate {product[1]} NoContraction" in text
    assert "OpSelect" not in text


def test_other_devices_choose() -> None:
    """The float control is not declared: a product with 1 would keep a denormal."""
    text = text_with(ops.FLUSH)
    assert "OpFMul" not in text
    assert "OpSelect" in text


def test_devices_that_keep_the_signs_of_zeros_multiply() -> None:
    """By 0 or 1; the product is precise, because Mesa would drop a zero's sign."""
    device = TargetDevice(float_modes=frozenset({"signed_zero_inf_nan_preserve_32"}))
    text = text_with(ops.FLUSH, device)
    factor = re.search(r"OpFMul %float %\w+ (%\w+)$", text, re.MULTILINE)
    assert factor is not None
    assert re.search(rf"{factor[1]} = OpSelect %float %\w+ %float_0 %float_1$", text, re.MULTILINE)
    assert text.count("NoContraction") == 1


@pytest.mark.parametrize(
    ("device", "test"),
    [(ANY_DEVICE, "OpFOrdLessThan"), (TargetDevice(tests_bits=True), "OpIEqual"), (FLUSHING, "")],
    ids=["comparison", "bits", "mode"],
)
def test_squares_are_flushed_by_what_they_are_of(device: TargetDevice, test: str) -> None:
    """By a device's mode, or a test of the number beside the product: it has no sign."""
    text = text_with(ops.FLUSHED_SQUARE, device)
    assert re.search(r"OpFMul %float (%\w+) \1$", text, re.MULTILINE)
    assert ("OpSelect" in text) is bool(test)
    assert test in text
    assert "2147483648" not in text
