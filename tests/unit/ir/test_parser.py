"""Parsing the IR's text: the modules, and the places of errors."""

import re
import struct
import textwrap
from pathlib import Path

import pytest

from translate.errors import NOWHERE, AssemblyError, Where
from translate.ir import ops
from translate.ir.memory import Access, Barrier, Check, ImageShape, MemoryKind, Sample, SampleMode
from translate.ir.parser import parse_module
from translate.ir.printer import print_module
from translate.ir.tables import Layout, Usage, View
from translate.ir.types import BOOL, F32, F64, U32, Type
from translate.ir.values import Module
from translate.ir.verify import verify

from ...listings import blocks
from .building import module_of

TEXTS = blocks(Path(__file__).parent / "data/modules.ir")
HEAD = (Path(__file__).parent / "data/parser_head.txt").read_text("utf-8")


def parsed(code: str) -> Module:
    return module_of(code, HEAD)


def attribute_of(line: str) -> object:
    return parsed(f"{line}\nreturn").body.values[0].data


def test_the_head() -> None:
    module = parse_module(TEXTS["head"])
    assert (module.profile, module.after, module.thread_group) == ("cs_5_1", "simplify", (4, 2, 1))
    assert module.flags == {"refactoringAllowed", "enableDoublePrecisionFloatOps"}
    assert module.temp_count == 7
    first, second, third, fourth = module.resources
    assert (first.register, first.kind, first.space) == ("t0_space1", MemoryKind.TYPED, 1)
    assert (first.component, first.count) == ("sint", 0)
    assert first.unbounded
    assert second.shape == ImageShape(2, arrayed=True)
    assert module.tables.indexed == {fourth}
    assert module.tables.layouts == {fourth: Layout(floats=True, nested=True, vectors=True)}
    assert module.tables.views == {
        first: View(has_alpha=False),
        second: View(format="r8_unorm"),
        third: View(formats=("r32_uint", "")),
    }
    assert module.tables.usage == {
        second: Usage(samplers=frozenset({"s0", "s1"})),
        third: Usage(dynamic=True),
        fourth: Usage(written=True),
    }
    assert [(a.register, b.length) for a, b in module.written_marks.items()] == [("t0_space1", 8)]
    assert module.report is not None
    assert (module.report.buffer.kind, module.report.first_count) == (MemoryKind.RAW, 6)
    assert module.report.shortfalls == {first: 4}
    assert module.function_tables == {3: (1, 2)}
    assert module.interfaces[0].tables == (3,)


def test_a_group_that_is_not_named_is_one_thread() -> None:
    module = parse_module("module cs_5_0\nfunction main {\n  return\n}\n")
    assert module.thread_group == (1, 1, 1)


@pytest.mark.parametrize(
    ("text", "type_", "bits"),
    [
        ("7", U32, 7),
        ("0xffffffff", U32, 0xFFFFFFFF),
        ("true", BOOL, 1),
        ("false", BOOL, 0),
        ("-0.0f", F32, 0x80000000),
        ("1e-45f", F32, 1),
        ("-inff", F32, 0xFF800000),
        ("f32:0x7fa00001", F32, 0x7FA00001),
        ("0.1d", F64, struct.unpack("<Q", struct.pack("<d", 0.1))[0]),
        ("infd", F64, 0x7FF0000000000000),
        ("f64:0xfff0000000000001", F64, 0xFFF0000000000001),
        ("texel.f32:0x0", Type.TEXEL_F32, 0),
    ],
)
def test_constants(text: str, type_: Type, bits: int) -> None:
    value = parsed(f"%0: {type_.text} = select true, {text}, {text}\nreturn").body.values[0]
    assert [(arg.type, arg.data) for arg in value.args[1:]] == [(type_, bits)] * 2


@pytest.mark.parametrize("bits", [0x7F800001, 0x7FC00000, 0xFFFFFFFF, 0x80000001, 0x7F7FFFFF])
def test_floats_keep_their_bits(bits: int) -> None:
    module = parsed("%0: f32 = fneg 1.0f\nreturn")
    module.body.values[0].args[0].data = bits
    again = parse_module(print_module(module))
    assert again.body.values[0].args[0].data == bits


def test_attributes() -> None:
    names = {r.register: r for r in parsed("return").resources}
    assert set(names) == {"u0", "t1", "s0"}
    load = attribute_of("%0: u32 = load 0 (u0.3)")
    assert isinstance(load, Access)
    assert (load.resource.register, load.address_count, load.component) == ("u0", 1, 3)
    atomic = attribute_of("%0: u32 = atomic 0, 1 (u0.0 iadd)")
    assert isinstance(atomic, Access)
    assert atomic.operation == "iadd"
    texel = attribute_of("%0: texel.f32 = load_typed 0, 1, 2 (t1.0)")
    assert isinstance(texel, Access)
    assert texel.address_count == 2
    check = attribute_of("check 0 (u0.0 iadd components=[0, 1] writes)")
    assert isinstance(check, Check)
    assert (check.access.operation, check.components) == ("iadd", (0, 1))
    assert (check.writes, check.returns, check.counter) == (True, False, False)
    counter = attribute_of("check (u0.0 writes counter)")
    assert isinstance(counter, Check)
    assert (counter.access.address_count, counter.counter) == (0, True)
    sample = attribute_of("%0: texel.f32 = sample 0.5f, 0.5f, 0.0f (t1 s0 lod offset=[1, -1])")
    assert isinstance(sample, Sample)
    assert (sample.mode, sample.offset, sample.clamped) == (SampleMode.LOD, (1, -1), False)
    assert attribute_of("barrier (uav_memory threads)") == Barrier(False, True, False, True)
    assert attribute_of("%0: u32 = input (vThreadID.y)") == ("vThreadID", 1)
    assert attribute_of("%0: f32 = read_register (r1.z)") == 6
    assert attribute_of("%0: f32 = fadd 1.0f, 1.0f (precise)") is True
    assert attribute_of("%0: f32 = fadd 1.0f, 1.0f") is False
    assert attribute_of("call (label3)") == "label3"


def test_constructs() -> None:
    module = parsed(TEXTS["constructs"])
    loop = module.body.values[0]
    switch, choice, _ = loop.blocks[0].values
    assert [r.type for r in loop.results] == [F32]
    assert loop.blocks[0].params[0].data is loop
    assert switch.args[0] is loop.blocks[0].params[0]
    assert switch.data == ((0, 1), (None,))
    assert switch.blocks[1].values[0].args == switch.blocks[1].params
    assert choice.blocks[0].values[0].args == [*switch.results]
    assert [block.values[-1].op for block in choice.blocks] == [ops.BREAK, ops.YIELD]


def test_places() -> None:
    text = HEAD + (
        "function main {\n"
        "  %0: u32 = inot 1 @1\n"
        "  if true @0 {\n"
        "    yield\n"
        "  } else {\n"
        "    yield\n"
        "  }\n"
        "  return\n"
        "}\n"
        '@0 file="a b.asm" line=3 column=2 length=4\n'
        "@1 offset=64 instruction=2 mnemonic=not\n"
    )
    first, second, last = parse_module(text).body.values
    assert first.where == Where(offset=64, instruction=2, mnemonic="not")
    assert second.where == Where("a b.asm", 3, 2, 4)
    assert last.where == NOWHERE


def test_subroutines() -> None:
    module = parse_module(HEAD + "function main {\n call (fb0)\n return\n}\n"
                          "function fb0 {\n return\n}\n")  # fmt: skip
    assert list(module.functions) == ["fb0"]
    assert module.functions["fb0"].values[0].op is ops.RETURN


def test_the_examples_of_the_page_are_sound() -> None:
    page = (Path(__file__).parents[3] / "docs" / "ir.md").read_text("utf-8")
    module, code = re.findall(r"```\n((?:module |  loop )[^`]*)```", page)[:2]
    verify(parse_module(module))
    verify(parsed(f"{textwrap.dedent(code)}return"))


# The fault -> the code, the message, and the text that the caret points at
WRONG = {
    "no operation": ("frobnicate 1", "frobnicate is no operation", "frobnicate"),
    "a constant as operation": ("const 1", "const is no operation", "const"),
    "unknown value": ("%0: u32 = inot %9", "%9 is not defined before", "%9"),
    "defined twice": ("%0: u32 = inot 1\n%0: u32 = inot 2", "%0 is defined twice", "%0"),
    "no type": ("%0: u16 = inot 1", "expected one of bool, u32", "u16"),
    "no value": ("%0: u32 = inot 1,", "expected a value or a constant", None),
    "no resource": ("%0: u32 = load 0 (t7.0)", "t7.0 is no resource", "t7.0"),
    "no component": ("%0: u32 = load 0 (u0)", "u0 is no resource of this module and", "u0"),
    "bare attribute": ("%0: u32 = load 0 u0.0", "expected the end of the line", "u0.0"),
    "open attribute": ("%0: u32 = load 0 (u0.0", "expected ')'", None),
    "no register": ("%0: u32 = read_register (x0.y)", "x0.y is no component of an r#", "x0.y"),
    "no letter": ("%0: u32 = input (vThreadID.q)", "expected an input and a comp", "vThreadID.q"),
    "imprecise": ("%0: f32 = fadd 1.0f, 1.0f (rough)", "expected 'precise'", "rough"),
    "no mode": (
        "%0: texel.f32 = sample 0.5f (t1 s0 nearest)",
        "expected one of lod, gradients, compare, gather, gather_compare, found nearest",
        "nearest",
    ),
    "flag twice": ("barrier (threads threads)", "a second threads", "threads"),
    "no flag": ("barrier (quickly)", "expected ')'", "quickly"),
    "too many bits": ("%0: u32 = inot 0x100000000", "0x100000000 is no u32", "0x100000000"),
    "too large": ("%0: f32 = fneg 1e39f", "1e39f is too large for f32", "1e39f"),
    "bits of a truth value": ("%0: bool = lnot bool:2", "2 is no bool", "2"),
    "no place": ("return @5", "@5 is not in the table of places", "@5"),
    "no label": ("switch 1 {", "expected 'case'", "{"),
    "no block": ("loop 1", "expected '{'", None),
    "odd sign": ("%0: u32 = inot ?", "'?' begins nothing", "?"),
}


@pytest.mark.parametrize("name", WRONG)
def test_errors_point_at_the_fault(name: str) -> None:
    code, message, token = WRONG[name]
    with pytest.raises(AssemblyError) as caught:
        parsed(code)
    error = caught.value
    assert error.message.startswith(message)
    assert error.where.line == HEAD.count("\n") + 2 + code.count("\n")
    line = error.source_line or ""
    assert line.strip() == code.split("\n")[-1]
    column, length = error.where.column or 0, error.where.length
    assert line[column - 1 : column - 1 + length] == (token or "")
    assert "^" in str(error)


HEADS = {
    "": "expected 'module'",
    "module\n": "expected a profile",
    "module cs_5_0\nfoo 1\n": "expected one of thread_group",
    "module cs_5_0\nthread_group 1 1\n": "expected a number",
    "module cs_5_0\nresource u0 heap 0\n": "expected one of raw, structured",
    "module cs_5_0\nresource u0 raw 0 colour=red\n": "expected the end of the line",
    "module cs_5_0\nresource u0 raw 0 is_uav is_uav\n": "a second is_uav",
    "module cs_5_0\nresource u0 raw 0\nresource u0 raw 0\n": "a second resource u0",
    "module cs_5_0\nmarks g0 g1\n": "g0 is no resource",
    "module cs_5_0\nreport report 4\n": "report is no resource",
    "module cs_5_0\nresource u0 raw 0\nreport u0\n": "expected a number",
    "module cs_5_0\nshortfall cb0 4\n": "cb0 is no resource",
    "module cs_5_0\nresource cb0 constants 0 length=4\nshortfall cb0 4\n": "a shortfall without",
    "module cs_5_0\n": "expected function main",
    "module cs_5_0\nfunction f {\n  return\n}\nfunction f {\n  return\n}\n": "a second function f",
    "module cs_5_0\nfunction main {\n  return\n": "expected an operation",
}


@pytest.mark.parametrize("head", HEADS, ids=repr)
def test_wrong_heads(head: str) -> None:
    with pytest.raises(AssemblyError) as caught:
        parse_module(head, "a.ir")
    assert caught.value.message.startswith(HEADS[head])
    assert caught.value.where.file == "a.ir"
    assert caught.value.where.line is not None


@pytest.mark.parametrize("text", ["root:x:0:0:/root\n", "; key\n", "modules = 1\n"])
def test_text_that_is_not_ir_is_not_shown(text: str) -> None:
    with pytest.raises(AssemblyError) as caught:
        parse_module(text, "passwd")
    assert str(caught.value) == "passwd:1:1: error: expected 'module', as the IR's text begins"


def test_an_error_shows_the_line() -> None:
    with pytest.raises(AssemblyError) as caught:
        parse_module("module cs_5_0\nfunction main {\n  frobnicate 1\n}\n", "a.ir")
    assert str(caught.value) == (
        "a.ir:3:3: error: frobnicate is no operation\n   3 |   frobnicate 1\n     |   ^^^^^^^^^^"
    )
