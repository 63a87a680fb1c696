"""Operations that become calls of functions: the results and the code of their bodies."""

from __future__ import annotations

import itertools
import re

import numpy as np
import pytest

import translate
from checks.lanes import DOUBLES
from translate.errors import NOWHERE
from translate.ir import lanes, ops
from translate.ir.builder import Builder
from translate.ir.row import Lanes
from translate.ir.types import F64
from translate.ir.values import Block, Value
from translate.spirv.bodies import fused_multiply_add
from translate.spirv.grammar import VERSIONS

from ..isa.test_evaluate_double import fused

LISTING = """cs_5_0
dcl_globalFlags refactoringAllowed | enableDoublePrecisionFloatOps | enable11_1DoubleExtensions
dcl_uav_raw u0
dcl_temps 2
dcl_thread_group 1, 1, 1
ld_raw r0.xyzw, l(0), u0.xyzw
dfma r1.xyzw, r0.xyzw, r0.zwxy, r0.xyxy
dfma r1.xy, r1.xyxy, r0.zwzw, r1.zwzw
store_raw u0.xyzw, l(0), r1.xyzw
ret
"""


def fma_body() -> tuple[list[Value], Block, Value]:
    """Parameters, operations and result."""
    parameters = [Value(ops.PARAM, F64, [], None, NOWHERE) for _ in range(3)]
    block = Block()
    return parameters, block, fused_multiply_add(Builder(block), *parameters)


def computed(x: Lanes, y: Lanes, z: Lanes) -> Lanes:
    """The result of the body if each of its operations gives the result of its row."""
    parameters, block, result = fma_body()
    known: dict[Value, Lanes] = dict(zip(parameters, (x, y, z), strict=True))
    for value in block:
        for arg in value.args:
            if arg.op is ops.CONST:
                known[arg] = lanes.of_bits(arg.type, arg.data)
        with np.errstate(all="ignore"):
            operands = [known[arg] for arg in value.args]
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
    found = computed(*numbers)
    wanted = np.array([fused(*row) for row in numbers.T.tolist()])
    same = (found.view(np.uint64) == wanted.view(np.uint64)) | np.isnan(found) & np.isnan(wanted)
    assert same.all(), numbers[:, ~same][:, :3]


def test_size_of_fma_is_that_of_its_body() -> None:
    _, block, _ = fma_body()
    assert sum(value.op.size for value in block) == ops.FMA.size


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
