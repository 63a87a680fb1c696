"""Small listings, each with one idea, with their IR and SPIR-V, for review.

Other tests run the code; these files show the effect of a change to the passes or the emitter.
`--update` rewrites them.
"""

import difflib
from collections.abc import Callable
from pathlib import Path

import pytest

import translate
from translate.ir.printer import print_module
from translate.lower import lower_program
from translate.passes.pipeline import passes

SHADERS = Path(__file__).parent / "shaders"
OPTIONS = translate.Options()


def ir_text(program: translate.Program) -> str:
    """The IR that is emitted: promoted, guarded, optimised."""
    module = lower_program(program)
    for one in passes(OPTIONS):
        one.run(module)
    return print_module(module)


def spirv_text(program: translate.Program) -> str:
    return translate.to_spirv(program, OPTIONS).text()


MAKERS: dict[str, Callable[[translate.Program], str]] = {".ir": ir_text, ".spvasm": spirv_text}


@pytest.mark.parametrize("form", MAKERS)
@pytest.mark.parametrize("stem", sorted(path.stem for path in SHADERS.glob("*.asm")))
def test_golden(stem: str, form: str, update: bool) -> None:
    path = SHADERS / f"{stem}{form}"
    found = MAKERS[form](translate.load((SHADERS / f"{stem}.asm").read_text()))
    if update:
        path.write_text(found)
        return
    expected = path.read_text() if path.exists() else ""
    difference = difflib.unified_diff(
        expected.splitlines(keepends=True), found.splitlines(keepends=True), path.name, "now"
    )
    text = "".join(difference)
    assert not text, f"\n{text}(pytest tests/golden --update rewrites the file)"


def test_every_golden_file_has_its_listing() -> None:
    """A file without a listing is left over."""
    listings = {path.stem for path in SHADERS.glob("*.asm")}
    assert len(listings) >= 10
    assert {path.stem for path in SHADERS.iterdir()} == listings
    assert {path.suffix for path in SHADERS.iterdir()} == {".asm", *MAKERS}
