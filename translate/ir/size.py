"""How large a module is, and which instruction of the shader became most of it."""

from __future__ import annotations

from collections import Counter

from translate.errors import UnsupportedError, Where
from translate.ir.values import Block, Module


def operations(module: Module) -> int:
    """The sizes of a module's operations, parameters and results of constructs among them."""
    return sum(map(_operations, module.bodies()))


def _operations(block: Block) -> int:
    count = len(block.params)
    for value in block.values:
        count += value.op.size
        if value.blocks:
            count += len(value.results)
            for inner in value.blocks:
                count += _operations(inner)
    return count


def largest(module: Module) -> tuple[int, Where]:
    """How many operations the instruction has become that became most, and where it stands."""
    places = Counter[Where]()
    for value in module.walk():
        places[value.where] += value.op.size
    ((where, count),) = places.most_common(1)
    return count, where


def limit_text(option: str, most: int) -> str:
    """A limit as Python and the command line name it: `Options.max_words=9 (--max-words)`."""
    return f"Options.{option}={most} (--{option.replace('_', '-')})"


def too_large(became: str, option: str, most: int, count: int, where: Where) -> UnsupportedError:
    """The error for a shader that becomes more than an option allows.

    `count` is how many operations the instruction became that became most, at `where`.
    """
    name = where.mnemonic or "instruction"
    message = f"the shader becomes {became}, more than {limit_text(option, most)} allows"
    return UnsupportedError(f"{message}; {count} operations are of this {name}", where)
