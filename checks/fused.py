"""A driver that fuses products and sums, as GPUs do: emulated on any device with doubles."""

from __future__ import annotations

import dataclasses
import re
import subprocess

from translate import SpirvModule

from .spirv_opt import tool

_SUM = re.compile(r"\s*(%\w+) = Op(FAdd|FSub) %float (%\w+) (%\w+)")
_PRODUCT = re.compile(r"\s*(%\w+) = OpFMul %float (%\w+) (%\w+)")
_PRECISE = re.compile(r"OpDecorate (%\w+) NoContraction")
_FLOAT = "%float = OpTypeFloat 32"
_DOUBLE = "%double = OpTypeFloat 64"


def fused(module: SpirvModule) -> SpirvModule:
    """The module with one rounding for each sum of a product, if neither is precise.

    The product is exact as a double. The sum is rounded to a double first, which makes a difference
    only for sums within 2^-30 of a tie.
    """
    text = module.text()
    precise = set(_PRECISE.findall(text))
    products = {name: factors for name, *factors in _PRODUCT.findall(text) if name not in precise}
    lines, is_changed = list[str](), False
    for line in text.splitlines():
        found = _SUM.match(line)
        term = found and next((n for n in (3, 4) if found[n] in products), None)
        if found is None or term is None or found[1] in precise:
            lines.append(line)
        else:
            lines += _in_doubles(found, term, products[found[term]])
            is_changed = True
    if not is_changed:
        return module
    source = "\n".join(lines)
    if _DOUBLE not in source:
        source = source.replace(_FLOAT, f"{_FLOAT}\n{_DOUBLE}", 1)
        source = source.replace("OpCapability", "OpCapability Float64\nOpCapability", 1)
    command = [str(tool("spirv-as")), "--target-env", "vulkan1.1", "-", "-o", "-"]
    done = subprocess.run(command, input=source.encode(), capture_output=True, check=True)
    return dataclasses.replace(module, data=done.stdout)


def _in_doubles(found: re.Match[str], term: int, factors: list[str]) -> list[str]:
    """The instructions for one sum, of which the operand `term` is the product."""
    result = found[1]
    parts = [f"{result}_{name}" for name in ("a", "b", "c", "product", "sum")]
    a, b, c, product, total = parts
    operands = (product, c) if term == 3 else (c, product)
    return [
        f"{a} = OpFConvert %double {factors[0]}",
        f"{b} = OpFConvert %double {factors[1]}",
        f"{c} = OpFConvert %double {found[7 - term]}",
        f"{product} = OpFMul %double {a} {b}",
        f"{total} = Op{found[2]} %double {operands[0]} {operands[1]}",
        f"{result} = OpFConvert %float {total}",
    ]
