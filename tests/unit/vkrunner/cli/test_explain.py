"""`sm5vk explain`: one page without other files, linked by instruction."""

import sys
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

import translate
import vkrunner
from vkrunner.__main__ import main
from vkrunner.api.gpu_code import GPUS, gpu_code, manifest

from .conftest import ROOT, SAXPY, SHADERS, Call

DEBUG = ROOT / "tests/unit/dxbc/data/debug/debug_lines_O3.dxbc"
VOID = ("meta", "br", "rect", "line", "input")


class Page(HTMLParser):
    """The page's ids and links, and the lines of its panes; unclosed elements are an error."""

    def __init__(self, text: str):
        super().__init__()
        self.open: list[str] = []
        self.ids: Counter[str] = Counter()
        self.links: list[str] = []
        self.lines: dict[str, list[tuple[str | None, str]]] = {}
        self.pane: str | None = None
        self.text: dict[str, str] = {}
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag not in VOID:
            self.open.append(tag)
        assert "src" not in given
        assert tag != "link"
        if given.get("id"):
            self.ids[given["id"] or ""] += 1
        if tag == "a":
            self.links.append(given["href"] or "")
        self.pane = given.get("data-pane", self.pane)
        if "data-n" in given and self.pane is not None:
            self.lines.setdefault(self.pane, []).append((given.get("data-i"), ""))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        tag = self.open[-1] if self.open else ""
        self.text[tag] = self.text.get(tag, "") + data
        if self.pane is not None and self.lines.get(self.pane) and tag != "b":
            number, text = self.lines[self.pane][-1]
            self.lines[self.pane][-1] = number, text + data


@pytest.fixture
def made(tmp_path: Path) -> Any:
    def make(source: str | Path, *options: str) -> Page:
        page = tmp_path / "page.html"
        assert main(["explain", str(source), "-o", str(page), *options]) == 0
        text = page.read_text("utf-8")
        assert "http:" not in text
        assert "https:" not in text
        return Page(text)

    return make


def test_the_panes_have_all_lines_with_links(made: Any) -> None:
    page, explained = made(DEBUG), translate.explain(translate.load(DEBUG))
    assert set(page.lines) == {"hlsl0", "hlsl1", "listing", "ir", "spirv"}
    for name in ("listing", "ir", "spirv"):
        lines = getattr(explained, name)
        shown = [(None if i is None else int(i), text.rstrip("\n")) for i, text in page.lines[name]]
        if name == "spirv":  # the last pane is followed by the counts
            shown[-1] = shown[-1][0], shown[-1][1].split("\n")[0]
        assert [i for i, _ in shown] == [line.instruction for line in lines]
        first = [text.split("\n")[0] for _, text in shown]
        assert first == [line.text for line in lines]
    numbers = {text.strip(): i for i, text in page.lines["hlsl0"] if i}
    assert any(text.startswith("means[id.x] = total / 3") for text in numbers)
    assert max(page.ids.values()) == 1
    assert page.links
    assert all(link.removeprefix("#") in page.ids for link in page.links)


def test_text_of_a_hostile_file_is_escaped(made: Any, tmp_path: Path) -> None:
    listing = (
        "// <script>alert(1)</script>\ncs_5_0\ndcl_uav_raw u0\ndcl_temps 1\n"
        "dcl_thread_group 1, 1, 1\nstore_raw u0.x, l(0), l(1) // </div></script>\x1b\nret \n"
    )
    path = tmp_path / "<b>&.asm"
    path.write_text(listing)
    page = made(path)
    assert "<b>&.asm" in page.text["title"]
    assert page.text["script"].count("alert") == 0


def test_a_comment_that_nothing_ends(made: Any, tmp_path: Path) -> None:
    """It takes all that follows, so that no end is looked for again and again."""
    path = tmp_path / "open.dxbc"
    path.write_bytes(DEBUG.read_bytes().replace(b"// Debug", b"/* Debug"))
    made(path)
    assert '<span class="cm">void main(' in (tmp_path / "page.html").read_text("utf-8")


def test_formats_descriptors_and_features(made: Any) -> None:
    shader = SHADERS / "sobel.dxbc"
    page = made(shader)
    for binding in translate.to_spirv(translate.load(shader)).interface:
        assert f"VK_DESCRIPTOR_TYPE_{binding.descriptor_type.upper()}" in page.text["code"]
    assert "VK_FORMAT_" in page.text["td"]


def test_constants_options_and_float_modes(made: Any) -> None:
    text = " ".join(made(SHADERS / "gaussian_blur.dxbc", "--for", "desktop").text.values())
    # the offsets of HLSL's packing rules: an array begins at a multiple of 16 bytes
    for offset, variable in (0, "int2 direction"), (8, "uint radius"), (16, "float weights[16]"):
        assert str(offset) in text
        assert variable in text
    assert "rounding_mode_rte_32" in text
    assert "robust_access=['robust_buffer_access'," in text
    assert "max_instructions" not in text
    plain = made(SAXPY).text
    assert "the defaults" in plain["dd"]
    assert "none declared" in plain["dd"]


def test_missing_packages(call: Call, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "pygments", None)
    code, _, err = call("explain", DEBUG, "-o", tmp_path / "a.html")
    assert (code, list(tmp_path.iterdir())) == (2, [])
    assert "pages need the package pygments: pip install jinja2 pygments" in err


def lacking(gpu: str) -> str:
    """The package that this machine lacks for a GPU's code, or an empty text."""
    try:
        gpu_code(translate.to_spirv(translate.load(SAXPY)), gpu)
    except vkrunner.NoDeviceError as error:
        return str(error)
    return ""


ENDS = {"AMD": "s_endpgm", "NVIDIA": "exit", "Qualcomm": "end"}  # of programs; Apple's has no text
SIZES = {"AMD": "VGPRs", "NVIDIA": "Number of GPRs", "Qualcomm": "Registers used", "Apple": "GPRs"}


@pytest.mark.parametrize("gpu", ["NAVI21", "GA102", "ADRENO740", "M1"])
def test_code_for_a_gpu(made: Any, gpu: str) -> None:
    lacks = lacking(gpu)
    if lacks:
        assert "apt-get install mesa-" in lacks
        pytest.skip(lacks)
    maker = GPUS[gpu].maker
    page = made(SAXPY, "--gpu", gpu)
    assert made(SAXPY, "--amd", gpu).lines == page.lines  # the option's earlier name
    if maker in ENDS:
        texts = " ".join(text for _, text in page.lines["machine"])
        assert ENDS[maker] in texts.split()
    assert ("machine" in page.lines) == (maker in ENDS)
    assert max(page.ids.values()) == 1
    assert f"Code for {gpu}, " in page.text["h3"]
    assert SIZES[maker] in page.text["dt"]
    assert "Code size" in page.text["dt"]


def test_a_family_that_mesa_does_not_know(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("explain", DEBUG, "-o", tmp_path / "a.html", "--amd", "NAVI99")
    if not lacking("NAVI21"):
        code, _, err = call(*words)
        assert (code, "NAVI21" in err) == (2, True)
        assert "Mesa compiled nothing for NAVI99" in err
    if manifest("radeon") is not None:  # without a device, as if no way worked
        monkeypatch.setattr(Path, "glob", lambda *_: iter([Path("/nonexistent/a.json")]))
        code, _, err = call(*words[:-1], "NAVI21")
        assert (code, "apt-get install mesa-drm-shim" in err) == (3, True)
    monkeypatch.setattr(Path, "glob", lambda *_: iter(()))  # no driver's manifest
    code, _, err = call(*words)
    assert (code, "apt-get install mesa-vulkan-drivers" in err) == (3, True)
    assert "Mesa 26" not in err
    for gpu in ("GA102", "ADRENO740", "M1"):
        code, _, err = call(*words[:-1], gpu)
        assert (code, "from Mesa 26 on: apt-get" in err, "ci/mesa26.sh" in err) == (3, True, True)
    assert not (tmp_path / "a.html").exists()
