"""The pages on Python and the command line: the values and files that their commands make."""

from pathlib import Path

import numpy as np
import pytest

from vkrunner import Device, LimitError

from .blocks import Kind, blocks_of
from .test_pages import run_page, run_python

PYTHON = [block for block in blocks_of("docs/python.md") if block.kind is Kind.PYTHON]
PRINTED = {
    1: "no resource 'items'; the shader has",
    2: "2 kept, 1 dropped\n",
    3: "[ 1.   7.5 14. ]\n",
    4: "[4. 4.]\n",
}


def test_histogram(folder: Path, device: Device) -> None:
    """The luminances as the kernel computes them, in thousandths."""
    names = {}
    if device.limits.max_texel_buffer_elements < 1920 * 1080:
        with pytest.raises(LimitError, match="2073600 elements"):
            run_python(PYTHON[0], names)
        return
    printed = run_python(PYTHON[0], names)
    luminance = names["image"][..., :3].astype(np.int64) @ (299, 587, 114)
    counts = np.bincount((luminance * 64 // 256000).ravel(), minlength=64)
    assert printed == f"{counts.astype(np.uint32).reshape(8, 8)}\n"
    shown = [block.text for block in blocks_of("docs/python.md") if block.kind is Kind.OUTPUT]
    assert printed == shown[0]


@pytest.mark.parametrize("number", range(1, len(PYTHON)))
def test_python(folder: Path, number: int) -> None:
    assert PRINTED[number] in run_python(PYTHON[number], {})


@pytest.mark.slow(reason="many commands, each a process")
def test_command_line(folder: Path) -> None:
    """All commands run, and write the files that the page names."""
    out = run_page("docs/command-line.md", folder)
    np.testing.assert_array_equal(np.load("out.npy"), np.arange(1000) * 2 + 1)
    assert Path("saxpy.spv").read_bytes()[:4] == b"\x03\x02\x23\x07"
    assert Path("saxpy.dxbc").read_bytes()[:4] == b"DXBC"
    assert '"thread_group"' in Path("saxpy.json").read_text()
    assert "OpEntryPoint GLCompute" in out
    assert "store_structured u0.x, vThreadID.x" in out
