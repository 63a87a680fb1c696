"""verify: every rule, broken once, and valid modules."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from translate.errors import VerifyError
from translate.ir import ops
from translate.ir.parser import parse_module
from translate.ir.row import Stage
from translate.ir.types import U32, VOID
from translate.ir.values import Block, Module, Value
from translate.ir.verify import verify

from .building import Small, add_param, add_result, module_of

HEAD = "module cs_5_0\ntemps 8\nresource u0 raw 0 is_uav\n"
# Each a message, and the code
BROKEN = (Path(__file__).parent / "data/broken.ir").read_text("utf-8").strip().split("\n\n")
SUM = "%0: u32 = iadd 1, 1"
LOOP = "loop { break }"
SWITCH = "switch 0 case 0 { break } case default { break }"


def read(code: str) -> Module:
    """The module of code in one line: a line ends with a semicolon, and around braces."""
    return module_of(re.sub(r"(?<=\{) |; | (?=\})", "\n", f"{code}; return"), HEAD)


def check(module: Module, message: str) -> None:
    with pytest.raises(VerifyError, match=re.escape(message)):
        verify(module)


@pytest.mark.parametrize("text", BROKEN)
def test_broken_rule_is_found(text: str) -> None:
    message, _, code = text.partition("\n")
    check(module_of(f"{code}\nreturn", HEAD), message.removeprefix("; "))


@pytest.mark.parametrize("name", ["break", "continue", "yield"])
def test_a_terminator_outside_of_its_construct(name: str) -> None:
    check(module_of(name), f"{name} has no construct that it could leave")


@contextmanager
def damaged(code: str, message: str) -> Iterator[tuple[list[Value], Value]]:
    """Damage that no text can have, to the body's values or the first one, is found."""
    module = read(code)
    yield module.body.values, module.body.values[0]
    check(module, message)


def test_damage_is_found() -> None:
    with damaged(LOOP, "loop has 2 blocks") as (_, loop):
        loop.blocks *= 2
    with damaged(SUM, "iadd has 1 blocks") as (_, total):
        total.blocks = (Block(),)
    with damaged(SUM, "iadd has results, but no blocks") as (_, total):
        add_result(total, U32)
    with damaged(f"{LOOP}; {LOOP}", "loop has as result <result") as (values, loop):
        add_result(loop, U32).data = values[1]
    with damaged(SWITCH, "switch has the attribute None, where cases belongs") as (_, switch):
        switch.data = None
    with damaged(SWITCH, "switch has 2 blocks and labels for 1") as (_, switch):
        switch.data = ((0, None),)
    use = "store_element uses operand 1, a iadd, where it is not visible"
    with damaged(f"{SUM}; store_element 0, %0 (u0.0)", use) as (values, _):
        values[:2] = reversed(values[:2])
    with damaged(SUM, "iadd stands in two places") as (values, total):
        values.insert(0, total)
    module = read(SUM)
    add_param(module.body, U32)
    check(module, "a body has parameters")


SOUND = (
    "%0: u32 = input (vThreadID.x); %1: bool = ine %0, 0; "
    "if %1 { %2: u32 = iadd %0, 1; yield %2 } else { yield 0 } -> %3: u32; "
    "store_element 0, %3 (u0.0)"
)
ONE_WAY = "if true { return } else { %0: u32 = inot 1; yield }; store_element 0, %0 (u0.0)"
SEVERAL_TYPES = (
    "%0: f64 = select true, 1.0d, 1.0d; %1: f32 = select true, 1.0f, 1.0f; "
    "%2: bool = select true, true, true"
)


@pytest.mark.parametrize("code", [SOUND, ONE_WAY, SEVERAL_TYPES], ids=["sound", "way", "types"])
def test_valid_modules_pass(code: str) -> None:
    """Values of the only way out are visible; types that no place names are generic."""
    verify(read(code), Stage.GUARDED)


@pytest.mark.parametrize(
    ("code", "stage"),
    [("write_register 1 (r0.x)", Stage.PROMOTED), ("%0: u32 = load 0 (u0.0)", Stage.GUARDED)],
)
def test_stages_forbid_what_they_have_removed(code: str, stage: Stage) -> None:
    module = read(code)
    verify(module)
    name = module.body.values[0].op.name
    message = f"^{name} may not be in a module that is {stage.name.lower()}"
    with pytest.raises(VerifyError, match=message):
        verify(module, stage)


def test_guarded_accesses_have_no_index_of_an_only_register() -> None:
    module = module_of("return", "module cs_5_0\nresource u0 raw 0 is_uav indexed\n")
    verify(module, Stage.PROMOTED)
    with pytest.raises(VerifyError, match="resource u0 has indices that the guards take off"):
        verify(module, Stage.GUARDED)


@pytest.mark.parametrize("op", ops.OPS.values(), ids=repr)
def test_each_operation_has_its_stages(op: ops.Op) -> None:
    """In every stage only merged values and constants are in no block."""
    allowed = [stage for stage in Stage if op.since <= stage <= op.until]
    for stage in Stage:
        small = Small()
        small.b.emit(op, VOID, [])
        if op.effect is not ops.Effect.TERMINATES:
            small.finish()
        refused = "may not be in a module that is" in _problem(small.module, stage)
        assert refused == (stage not in allowed)


def _problem(module: Module, stage: Stage) -> str:
    """The error about a module, '' if it is valid."""
    try:
        verify(module, stage)
    except VerifyError as error:
        return error.message
    return ""


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("%1: u32 = iadd", "iadd takes 2 operands, found 0"),
        ("store_element 0, %0 (u0.0)", "where it is not visible"),
    ],
)
def test_subroutines_are_checked(line: str, message: str) -> None:
    """Values of one body are not visible in another."""
    main = "function main {\n  %0: u32 = input (vThreadID.x)\n  return\n}\n"
    check(parse_module(f"{HEAD}{main}function label0 {{\n  {line}\n  return\n}}\n"), message)
