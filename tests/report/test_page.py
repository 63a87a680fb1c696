"""`sm5vk run --report -o PAGE`: the violations on the shader's page, with pictures."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from vkrunner.__main__ import main

from .test_report import HEAD

PLANES = HEAD + (
    "dcl_uav_raw u0\ndcl_input vThreadID.xyz\ndcl_temps 1\ndcl_thread_group 8, 8, 1\n"
    "imad r0.x, vThreadID.y, l(16), vThreadID.x\niadd r0.x, r0.x, l(-4)\nishl r0.x, r0.x, l(2)\n"
    "store_raw u0.x, r0.x, l(7)\nret \n"
)
WORDS = 200


def page_of(device: Any, folder: Path, listing: str, *words: str) -> str:
    (folder / "shader.asm").write_text(listing)
    page = folder / "page.html"
    given = ["run", str(folder / "shader.asm"), "--report", "--device", device.name, *words]
    assert main([*given, "-o", str(page)]) == 1
    return page.read_text("utf-8")


def test_threads_and_memory(device: Any, tmp_path: Path) -> None:
    text = page_of(device, tmp_path, PLANES, "--groups", "2,2,3", "--u0", f"zeros:{WORDS}:u4")
    _, y, x = np.indices((3, 16, 16))
    place = y * 16 + x - 4
    before, after = place < 0, place >= WORDS
    assert f"{np.sum(before)} before, 0 inside, {np.sum(after)} after" in text
    least, most = int(4 * place.min()), int(4 * place.max())
    assert f"bytes {least:,} to {most:,} of {4 * WORDS:,}." in text
    threads = re.search(r"<svg[^>]*aria-label=\"([^\"]*) threads\">(.*?)</svg>", text)
    assert threads is not None
    assert threads[1] == f"{np.sum(before | after)} of 16 x 16 x 3"
    cells = re.findall(r'class="hit" x="(\d+)" y="(\d+)" width="40" height="8"', threads[2])
    height = 16 * 8 + 12
    shown = {(int(x) // 40, int(y) % height // 8, int(y) // height) for x, y in cells}
    assert shown == {(int(a), int(b), int(c)) for c, b, a in np.argwhere(before | after)}
    assert len(cells) == len(shown)


def test_lines_with_violations_are_marked(device: Any, tmp_path: Path) -> None:
    text = page_of(device, tmp_path, PLANES, "--groups", "2,2,3", "--u0", f"zeros:{WORDS}:u4")
    marked = set(re.findall(r'class="l bad[^>]*data-i="(\d+)"', text))
    assert marked == {"3"}
    assert 'href="#i3">Show the code of instruction 3' in text
    assert "10 | store_raw u0.x, r0.x, l(7)" in text


def test_a_page_needs_a_report(capsys: pytest.CaptureFixture[str]) -> None:
    shader = str(Path(__file__).parents[2] / "shaders" / "saxpy.dxbc")
    assert main(["run", shader, "--groups", "1", "-o", "page.html", "--device", "reference"]) == 2
    assert "--every-violation and -o need --report" in capsys.readouterr().err
