"""A builder's methods for pure operations (`translate/ir/pure.py`) are those of the rows.

`--update` rewrites them.
"""

from collections.abc import Iterator
from pathlib import Path

from translate.ir import ops, pure, row
from translate.ir.row import Op
from translate.ir.types import Type

_WIDTH = 100
_HEAD = Path(__file__).with_name("builder_head.txt").read_text("utf-8")


def _method(op: Op) -> str:
    operands = ", ".join(op.names)
    arguments = [f"ops.{op.name.upper()}", _type(op), f"[{operands}]", *_data(op)]
    return (
        f"{_signature(op)}"
        f'        """{_meaning(op)}"""\n'
        f"        return self.emit({', '.join(arguments)})\n"
    )


def _signature(op: Op) -> str:
    """The signature on one line, or on three where it is too long."""
    line = f"    def {op.name}({', '.join(_parameters(op))}) -> Value:\n"
    if len(line) <= _WIDTH:
        return line
    return f"    def {op.name}(\n        {', '.join(_parameters(op))}\n    ) -> Value:\n"


def _parameters(op: Op) -> Iterator[str]:
    """The result's type comes first where the operands do not have it, an attribute last."""
    yield "self"
    if _type(op) == "type_":
        yield "type_: Type"
    yield from (f"{name}: Value" for name in op.names)
    if op.attribute is row.COMPONENT:
        yield "component: int"


def _type(op: Op) -> str:
    """The source of the result's type: the row, the first operand of that type, or the caller."""
    if isinstance(op.result, Type):
        return op.result.name
    if op.result in (row.Generic.FLOAT, row.Generic.ANY) and op.result in op.params:
        return f"{op.names[op.params.index(op.result)]}.type"
    return "type_"


def _data(op: Op) -> list[str]:
    known = {row.NONE: [], row.PRECISE: ["self.precise"], row.COMPONENT: ["component"]}
    return known[op.attribute]


def _meaning(op: Op) -> str:
    """A docstring: the row's text, and its preconditions."""
    text = op.text.removesuffix(".")
    if op.precondition is not None:
        text += f"; {op.precondition.text}"
    if op.attribute is row.PRECISE:
        text += ", not to be contracted where `precise`"
    return f"{text}."


def test_methods_of_pure_operations(update: bool) -> None:
    text = _HEAD + "".join(f"\n{_method(op)}" for op in ops.PURE)
    path = Path(pure.__file__).with_name("pure.py")
    if update:
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text, "pytest tests/golden --update rewrites it"
