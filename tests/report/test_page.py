"""`sm5vk run --report -o PAGE`: the violations on the shader's page, with pictures."""

import json
import pickle
import re
import sys
from html import unescape
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vkrunner
from tests.commands import python
from vkrunner.__main__ import main

from .test_report import HEAD

PLANES = HEAD + (
    "dcl_uav_raw u0\ndcl_input vThreadID.xyz\ndcl_temps 1\ndcl_thread_group 8, 8, 1\n"
    "imad r0.x, vThreadID.y, l(16), vThreadID.x\niadd r0.x, r0.x, l(-4)\nishl r0.x, r0.x, l(2)\n"
    "store_raw u0.x, r0.x, l(7)\nret \n"
)
WORDS = 200
HTML = "_repr_html_"  # IPython's name for it


def page_of(device: Any, folder: Path, listing: str, *words: str) -> str:
    (folder / "shader.asm").write_text(listing)
    page = folder / "page.html"
    given = ["run", str(folder / "shader.asm"), "--report", "--device", device.name, *words]
    assert main([*given, "-o", str(page)]) == 1
    return page.read_text("utf-8")


def test_threads_memory_and_marked_lines(device: Any, tmp_path: Path) -> None:
    text = page_of(device, tmp_path, PLANES, "--groups", "2,2,3", "--u0", f"zeros:{WORDS}:u4")
    _, y, x = np.indices((3, 16, 16))
    place = y * 16 + x - 4
    before, after = place < 0, place >= WORDS
    assert f"{np.sum(before)} before, 0 inside, {np.sum(after)} after" in text
    least, most = int(4 * place.min()), int(4 * place.max())
    assert f"bytes {least:,} to {most:,} of {4 * WORDS:,}; not to scale." in text
    threads = re.search(r"<svg[^>]*aria-label=\"([^\"]*) threads\">(.*?)</svg>", text)
    assert threads is not None
    assert threads[1] == f"{np.sum(before | after)} of 16 x 16 x 3"
    cells = re.findall(r'class="hit" x="(\d+)" y="(\d+)" width="40" height="8"', threads[2])
    height = 16 * 8 + 12
    shown = {(int(x) // 40, int(y) % height // 8, int(y) // height) for x, y in cells}
    assert shown == {(int(a), int(b), int(c)) for c, b, a in np.argwhere(before | after)}
    assert len(cells) == len(shown)
    marked = set(re.findall(r'class="l bad[^>]*data-i="(\d+)"', text))
    assert marked == {"3"}
    assert 'href="#i3">Show the code of instruction 3' in text
    assert "10 | store_raw u0.x, r0.x, l(7)" in text


def test_a_page_in_a_process_of_its_own(device: Any, tmp_path: Path) -> None:
    """Nothing was tried before, and the page is made once the device is closed."""
    (tmp_path / "shader.asm").write_text(PLANES)
    script = Path(sys.executable).with_name("sm5vk")
    words = ["run", "shader.asm", "--groups", "1", "--u0", "zeros:9:u4", "--device", device.name]
    done = python(script, *words, "--report", "-o", "page.html", folder=tmp_path, SM5VK_CACHE="0")
    assert done.returncode == 1, done
    assert "Show the code of instruction 3" in (tmp_path / "page.html").read_text("utf-8")


def test_a_page_needs_a_report(capsys: pytest.CaptureFixture[str]) -> None:
    shader = str(Path(__file__).parents[2] / "shaders" / "saxpy.dxbc")
    assert main(["run", shader, "--groups", "1", "-o", "page.html", "--device", "reference"]) == 2
    assert "-o needs --report or --trace" in capsys.readouterr().err


def shown_in_frame(result: Any) -> str:
    """The page in a notebook's frame."""
    html = getattr(result.violations, HTML)()
    instead, frame = html.split("</div><iframe ")
    assert instead.startswith('<style>.sm5vk-replaced {display: none}</style><div class="sm5vk-re')
    assert f"violations: {result.violations.total}" in instead, "of a notebook that is not trusted"
    assert ("<td" in instead) == bool(result.violations)
    frame = re.fullmatch(r'title="[^"]+" style="[^"]*" srcdoc="([^"]*)"></iframe>', frame)
    assert frame is not None
    return unescape(frame[1]).replace('<base href="about:srcdoc">', "")


def test_a_notebook_shows_the_page(device: Any, tmp_path: Path) -> None:
    text = page_of(device, tmp_path, PLANES, "--groups", "2,2,3", "--u0", f"zeros:{WORDS}:u4")
    kernel = device.kernel(tmp_path / "shader.asm", guards="report")
    result = kernel.dispatch((2, 2, 3), u0=np.zeros(WORDS, np.uint32))
    assert result.violations.page() == text
    assert shown_in_frame(result) == text
    assert pickle.loads(pickle.dumps(result.violations)) == result.violations


def test_a_notebook_shows_a_table_without_violations(device: Any) -> None:
    kernel = device.kernel(PLANES, guards="report")
    result = kernel.dispatch((1, 1, 1), u0=np.zeros(WORDS, np.uint32))
    assert "<iframe" in getattr(result.violations, HTML)()
    empty = kernel.dispatch((0, 1, 1), u0=np.zeros(WORDS, np.uint32)).violations
    assert re.match("<table><caption[^>]*>violations: 0</caption>", getattr(empty, HTML)())
    assert "<th" not in getattr(empty, HTML)()
    with pytest.raises(vkrunner.ArgumentError, match="violations of a dispatch"):
        pickle.loads(pickle.dumps(empty)).page()
    unreported = device.kernel(PLANES).dispatch((1, 1, 1), u0=np.zeros(WORDS, np.uint32))
    with pytest.raises(vkrunner.ArgumentError, match="guards='report'"):
        unreported.violations.page()


def test_groups_that_the_device_reads(device: Any) -> None:
    """The page has the threads up to the last one with a violation."""
    groups = device.buffer(np.array([2, 2, 3], np.uint32))
    words = device.buffer(np.zeros(WORDS, np.uint32))
    kernel = device.kernel(PLANES, guards="report")
    text = kernel.dispatch_indirect(groups, u0=words).violations.page()
    assert f"of {4 * WORDS:,}; not to scale." in text
    assert " of 16 x 16 x 3 threads" in text


RACE = (
    "cs_5_0\ndcl_globalFlags refactoringAllowed\ndcl_uav_raw u0\ndcl_input vThreadIDInGroup.x\n"
    "dcl_temps 1\ndcl_tgsm_raw g0, 64\ndcl_thread_group 4, 1, 1\n"
    "store_raw g0.x, l(8), vThreadIDInGroup.x\n"
    "if_nz vThreadIDInGroup.x\nsync_g_t\nendif\n"
    "ld_raw r0.x, l(8), g0.xxxx\nstore_raw u0.x, l(0), r0.x\nret \n"
)


def test_races_and_divergent_barriers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "race.asm").write_text(RACE)
    page = tmp_path / "page.html"
    words = ["run", str(tmp_path / "race.asm"), "--report", "--device", "reference"]
    words += ["--groups", "1", "--u0", "zeros:1:u4"]
    assert main([*words, "-o", str(page)]) == 0
    out = capsys.readouterr().out
    assert re.search(
        r"\ndivergent barriers: 1\ncount .*\n1 +line 10 \(instruction 2\) +line 9", out
    )
    text = page.read_text("utf-8")
    races = text[text.index('<section id="races"') : text.index('<section id="resources"')]
    assert "Race on g0" in races
    assert "Barrier that not all threads reach" in races
    assert "store_raw g0.x, l(8), vThreadIDInGroup.x" in races
    marked = set(re.findall(r'class="l bad[^>]*data-i="(\d+)"', text))
    assert {"0", "2"} <= marked
    assert main([*words, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["divergent_barriers"]["total"] == 1
    assert {one["register"] for one in found["races"]["records"]} == {"g0"}
    with vkrunner.open_device("reference") as device:
        kernel = device.kernel(RACE, guards="report")
        result = kernel.dispatch(1, u0=np.zeros(1, np.uint32))
    assert "Race on g0" in shown_in_frame(result)


def test_no_races(device: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Only the reference machine looks for races."""
    path = tmp_path / "race.asm"
    path.write_text(RACE.replace("if_nz vThreadIDInGroup.x\n", "").replace("endif\n", ""))
    words = ["run", str(path), "--report", "--device", device.name]
    assert main([*words, "--groups", "1", "--u0", "zeros:1:u4"]) == 0
    out = capsys.readouterr().out
    assert "no violations\n" in out
    is_reference = device.info.type == "reference"
    assert ("races: not looked for here" in out) == (not is_reference)
    assert ("races: 3" in out) == is_reference
