"""The builder's methods are those of the rows; `--update` rewrites them."""

from __future__ import annotations

from pathlib import Path

from translate.ir import ops, pure

from .builder import builder_text


def test_methods_of_pure_operations(update: bool) -> None:
    path, text = Path(pure.__file__).with_name("pure.py"), builder_text(ops.PURE)
    if update:
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text, "pytest tests/golden --update rewrites it"
