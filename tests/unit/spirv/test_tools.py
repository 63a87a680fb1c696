"""SPIRV-Tools in process."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import translate
from translate.errors import OptionError, VerifyError
from translate.spirv.grammar import Op
from translate.spirv.module import disassemble, validate, validate_if_available

LISTING = (Path(__file__).parent / "data/tools.asm").read_text("utf-8")


def _words() -> list[int]:
    options = translate.Options(validate=False)
    return translate.to_spirv(translate.load(LISTING), options).words.tolist()


def _changed(opcode: int, operand: int, new: int) -> bytes:
    """The module with an operand of its first such instruction replaced."""
    words, at = _words(), 5
    while words[at] & 0xFFFF != opcode:
        at += words[at] >> 16
    words[at + operand] = new
    return np.array(words, "<u4").tobytes()


@pytest.mark.parametrize(
    ("opcode", "operand", "new"),
    [
        (Op.IAdd, 1, 9999),  # a result type that is none
        (Op.Decorate, 2, 0xFFFF),  # a decoration that does not exist
        (Op.ExecutionMode, 3, 0),  # a group of no threads
    ],
)
@pytest.mark.parametrize("check", [validate, validate_if_available])
def test_broken_module_is_refused(
    check: Callable[[bytes, str], None], opcode: int, operand: int, new: int
) -> None:
    with pytest.raises(VerifyError, match=r"the SPIR-V is invalid for vulkan1\.1"):
        check(_changed(opcode, operand, new), "vulkan1.1")


def test_cut_module_is_refused() -> None:
    with pytest.raises(VerifyError, match="invalid"):
        validate(np.array(_words()[:-3], "<u4").tobytes(), "vulkan1.1")


def test_unknown_target_is_named() -> None:
    with pytest.raises(OptionError, match=r"'vulkan9\.9'"):
        validate(np.array(_words(), "<u4").tobytes(), "vulkan9.9")


def test_invalid_modules_cannot_be_printed() -> None:
    with pytest.raises(VerifyError, match="cannot be printed"):
        disassemble(np.array([1, 2, 3, 4, 5], "<u4").tobytes(), "vulkan1.1")


@pytest.mark.parametrize("target", ["vulkan1.1", "vulkan1.2", "vulkan1.3"])
def test_every_target_validates(target: str) -> None:
    module = translate.to_spirv(translate.load(LISTING), translate.Options(target=target))
    major_minor = {"vulkan1.1": 0x10300, "vulkan1.2": 0x10500, "vulkan1.3": 0x10600}
    assert int(module.words[1]) == major_minor[target]
