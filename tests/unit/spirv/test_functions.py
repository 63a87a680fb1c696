"""Operations that become calls of functions: the results and the code of their bodies."""

import itertools
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import translate
from checks.lanes import DOUBLES
from translate.errors import NOWHERE
from translate.ir import lanes, ops
from translate.ir.builder import Builder
from translate.ir.row import Lanes, Op
from translate.ir.types import F32, F64, Type
from translate.ir.values import Block, Value
from translate.spirv.bodies import cosine, fused_multiply_add, sine
from translate.spirv.grammar import VERSIONS

from ..isa.test_evaluate_double import fused

LISTING = (Path(__file__).parent / "data/functions_listing.asm").read_text("utf-8")


BODIES: dict[Op, tuple[Callable[..., Value], Type]] = {
    ops.FMA: (fused_multiply_add, F64),
    ops.SIN: (sine, F32),
    ops.COS: (cosine, F32),
}
# The worst that Vulkan allows. Nothing is known of angles beyond half a turn, which a rounded
# number of turns exceeds by less than 2^-16
LEAST_ACCURATE: dict[Op, Callable[[Lanes], Lanes]] = {
    ops.SIN: lambda x: np.where(abs(x) > HALF_TURN, 7, np.sin(x) + ERROR).astype(np.float32),
    ops.COS: lambda x: np.where(abs(x) > HALF_TURN, 7, np.cos(x) - ERROR).astype(np.float32),
}
HALF_TURN, ERROR = np.float32(np.pi + 2.0**-16), 2.0**-11


def body_of(op: Op) -> tuple[list[Value], Block, Value]:
    """Parameters, operations and result."""
    body, type_ = BODIES[op]
    parameters = [Value(ops.PARAM, type_, [], None, NOWHERE) for _ in op.params]
    block = Block()
    return parameters, block, body(Builder(block), *parameters)


def computed(op: Op, *given: Lanes) -> Lanes:
    """The result of the body if each of its operations gives the result of its row, but sines and
    cosines the least accurate one."""
    parameters, block, result = body_of(op)
    known: dict[Value, Lanes] = dict(zip(parameters, given, strict=True))
    for value in block:
        for arg in value.args:
            if arg.op is ops.CONST:
                known[arg] = lanes.of_bits(arg.type, arg.data)
        with np.errstate(all="ignore"):
            operands = [known[arg] for arg in value.args]
            if value.op in LEAST_ACCURATE:
                known[value] = LEAST_ACCURATE[value.op](*operands)
            else:
                known[value] = lanes.evaluate(value.op, value.type, operands, value.data)
    return known[result]


def close_sums() -> Lanes:
    """Factors, and addends near their products: the sums cancel, or round near ties."""
    rng, count = np.random.default_rng(5), 6000
    x, y, ratio = (rng.uniform(1, 2, count) * rng.choice([-1, 1], count) for _ in range(3))
    x, y = (np.ldexp(factor, rng.integers(-540, 500, count)) for factor in (x, y))
    ratio = np.where(rng.random(count) < 0.5, np.ldexp(ratio, rng.integers(-120, 120, count)), -1)
    with np.errstate(all="ignore"):
        return np.array([x, y, x * y * ratio])


def test_fma_rounds_once() -> None:
    """Compared with the C library's fma."""
    edges = np.array([*itertools.product(DOUBLES[::2], DOUBLES, DOUBLES[::2])]).T
    numbers = np.concatenate([edges, close_sums()], axis=1)
    found = computed(ops.FMA, *numbers)
    wanted = np.array([fused(*row) for row in numbers.T.tolist()])
    same = (found.view(np.uint64) == wanted.view(np.uint64)) | np.isnan(found) & np.isnan(wanted)
    assert same.all(), numbers[:, ~same][:, :3]


@pytest.mark.parametrize("op", BODIES, ids=str)
def test_size_of_a_call_is_that_of_its_body(op: Op) -> None:
    _, block, _ = body_of(op)
    assert sum(1 if value.op is op else value.op.size for value in block) == op.size


ANGLES = np.float32(np.linspace(-100 * np.pi, 100 * np.pi, 100_001))


@pytest.mark.parametrize(("op", "function"), [(ops.SIN, np.sin), (ops.COS, np.cos)], ids=str)
def test_angles_of_many_turns(op: Op, function: Callable[[Lanes], Lanes]) -> None:
    error = abs(computed(op, ANGLES) - function(ANGLES.astype(np.float64)))
    assert error.max() <= 0.0008  # FS §22.10.20


def test_sines_of_zeros_and_denormals_have_their_sign() -> None:
    tiny = np.array([0, 1 << 31, 1, 0x807FFFFF], np.uint32)
    found = computed(ops.SIN, tiny.view(np.float32)).view(np.uint32)
    assert found.tolist() == [0, 1 << 31, 0, 1 << 31]


@pytest.mark.parametrize("op", [ops.SIN, ops.COS], ids=str)
def test_infinite_angles_have_no_sine(op: Op) -> None:
    found = computed(op, np.float32([np.inf, -np.inf, np.nan]))
    assert np.isnan(found).all()


ANGULAR = (Path(__file__).parent / "data/functions_angular.asm").read_text("utf-8")
_FLUSHES, _PRESERVES = "denorm_flush_to_zero_32", "denorm_preserve_32"


@pytest.mark.parametrize(
    ("given", "reduced"),
    [
        ({}, True),
        ({"exact_functions": {"halves"}}, True),
        ({"exact_functions": {"sines"}}, False),
        ({"exact_functions": {"sines"}, "float_controls": {_FLUSHES, _PRESERVES}}, False),
        # The device was tried without the mode, in which denormals may count as zeros
        ({"exact_functions": {"sines"}, "float_controls": {_PRESERVES}}, True),
    ],
)
def test_exact_sines_are_the_devices_own(given: Any, reduced: bool) -> None:
    options = translate.Options(**given, validate=True)
    text = translate.to_spirv(translate.load(ANGULAR), options).text()
    assert (" RoundEven " in text) == reduced
    assert len(re.findall(r" (Sin|Cos) ", text)) == 2


@pytest.mark.parametrize("target", VERSIONS)
@pytest.mark.parametrize("located", [False, True], ids=["", "located"])
def test_one_function_is_called(target: str, located: bool) -> None:
    """It has a name, no place in the source, and no contraction."""
    options = translate.Options(
        target=target,  # pyright: ignore[reportArgumentType]
        debug_lines=located,
        debug_info=located,
        float_controls=frozenset({"rounding_mode_rte_64", "denorm_preserve_64"}),
        validate=True,
    )
    text = translate.to_spirv(translate.load(LISTING), options).text()
    _, body, _ = re.split(r"(?m)^ *%fma = OpFunction .*$|^ *OpFunctionEnd$", text, maxsplit=2)
    assert text.count("%fma = OpFunction ") == 1
    assert text.count("OpFunctionParameter") == 3
    assert len(re.findall(r"= OpFunctionCall %double %fma ", text)) == 3
    assert 'OpName %fma "fma"' in text
    rounded = re.findall(r"(%\w+) = OpF(?:Add|Sub|Mul) ", body)
    assert len(rounded) > 50
    assert all(f"OpDecorate {number} NoContraction" in text for number in rounded)
    assert "OpExecutionMode %main RoundingModeRTE 64" in text
    assert body.count("OpLine ") == located
    assert bool(re.search(r"OpLine %\w+ 0 0$", body, re.MULTILINE)) == located
