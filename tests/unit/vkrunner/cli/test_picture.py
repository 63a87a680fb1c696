"""Two-dimensional results as pictures: on a terminal, and in notebooks."""

import base64
import re
from html import unescape
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from vkrunner.__main__ import main
from vkrunner.cli.output import picture_text
from vkrunner.values.formats import format_of_name
from vkrunner.values.pictures import fitted, preview

HTML = "_repr_html_"  # IPython's name for it
COPY = (Path(__file__).parent / "data/picture_copy.asm").read_text("utf-8")


def expected(width: int, height: int) -> Any:
    y, x = np.indices((height, width))
    colours = np.stack([x * 0.25, y * 0.5, np.ones_like(x)], 2).clip(0, 1)
    return np.rint(colours * 255).astype(np.uint8)


class Terminal(StringIO):
    """A terminal with Unicode."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


def pixels(text: str) -> list[list[tuple[int, ...]]]:
    """The rows of pixels of a picture on a terminal with all colours."""
    rows: list[list[tuple[int, ...]]] = []
    for line in filter(None, text.split("\x1b[0m\n")):
        for ground in (38, 48):
            found = re.findall(rf"\x1b\[{ground};2;(\d+);(\d+);(\d+)m", line)
            rows += [[tuple(map(int, one)) for one in found]] if found else []
    return rows


def test_a_terminal_shows_a_texture(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    monkeypatch.setenv("COLORTERM", "truecolor")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    (tmp_path / "copy.asm").write_text(COPY)
    words = ["run", str(tmp_path / "copy.asm"), "--groups", "1,2", "--device", "reference"]

    def shown() -> str:
        terminal = Terminal()
        monkeypatch.setattr("sys.stdout", terminal)
        assert main([*words, "--u0", "zeros:3x4:r8g8b8a8_unorm"]) == 0
        return terminal.getvalue()

    head, _, picture = shown().partition("u0: 4 x 3 texels, without alpha\n")
    assert head.startswith("u0: uint8[3, 4, 4]")
    np.testing.assert_array_equal(pixels(picture), expected(4, 3))
    monkeypatch.setenv("NO_COLOR", "1")
    assert shown() == head


def test_a_notebook_shows_a_texture(machine: Any) -> None:
    kernel = machine.kernel(COPY, formats={"u0": "r8g8b8a8_unorm"})
    image, caption = picture_of(kernel.dispatch((1, 2), u0=np.zeros((3, 4, 4), np.uint8)))
    assert caption == "u0: 4 x 3 texels, without alpha, enlarged 64 times"
    np.testing.assert_array_equal(image, expected(4, 3).repeat(64, axis=0).repeat(64, axis=1))


def picture_of(result: Any) -> tuple[Any, str]:
    """The pixels and the caption of a result's picture in a notebook."""
    found = re.search(
        r'<img src="data:image/png;base64,([^"]*)" alt="([^"]*)" style="border: 1px solid gray">'
        r"<figcaption>(.*)</figcaption>",  # the border shows the edges of white pictures
        getattr(result, HTML)(),
    )
    assert found is not None
    assert found[2] == found[3]
    return np.asarray(Image.open(BytesIO(base64.b64decode(found[1])))), unescape(found[2])


STORE = (Path(__file__).parent / "data/picture_store.asm").read_text("utf-8")
WIDE = np.zeros((600, 1024), np.float32)
WIDE[5, 6] = -3.25


@pytest.mark.parametrize(
    ("type", "value", "texels", "caption"),
    [
        ("float", "l(7.125, 0, 0, 0)", WIDE, "1024 x 600 texels, black 0, white 1; the array has"
         " -3.25 to 7.125, reduced to 512 x 300 pixels"),
        ("float", "l(0.5, 0, 0, 0)", WIDE[:300, 512:], "512 x 300 texels, black 0, white 1"),
        ("float", "l(0x7fc00000, 0, 0, 0)", WIDE[:300, 512:], "512 x 300 texels, black 0, white 1,"
         " NaN is black"),
        ("uint", "l(70000, 0, 0, 0)", np.full((130, 200), 3, np.uint32), "200 x 130 texels,"
         " black 3, white 70,000"),
        ("sint", "l(-2, 0, 0, 0)", np.zeros((16, 16), np.int32), "16 x 16 texels, black -2,"
         " white 0, enlarged 16 times"),
    ],
)  # fmt: skip
def test_captions(machine: Any, type: str, value: str, texels: Any, caption: str) -> None:
    kernel = machine.kernel(STORE.format(type=type, value=value))
    assert picture_of(kernel.dispatch(1, u0=texels))[1] == f"u0 (image): {caption}"


@pytest.mark.parametrize("shape", [(1, 2000), (2000, 3), (1, 200)])
def test_flat_and_narrow_pictures_can_be_seen(machine: Any, shape: tuple[int, int]) -> None:
    kernel = machine.kernel(STORE.format(type="float", value="l(1.0, 0, 0, 0)"))
    image, _ = picture_of(kernel.dispatch(1, u0=np.ones(shape, np.float32)))
    assert min(image.shape[:2]) >= 8
    assert (image == 255).all()


@pytest.mark.parametrize(
    ("format", "texel", "colour"),
    [
        ("r8_unorm", 51, (51, 51, 51)),
        ("r8g8_unorm", (1, 2), (1, 2, 0)),
        ("b8g8r8a8_unorm", (1, 2, 3, 0), (3, 2, 1)),
        ("r16g16b16a16_unorm", (0, 65535, 32768, 0), (0, 255, 128)),
        ("r32g32b32a32_float", (-1, np.nan, 0.5, 0), (0, 0, 128)),
        ("r16g16b16a16_float", (np.inf, -np.inf, 1, 0), (255, 0, 255)),
        ("r32_float", 0.2, (51, 51, 51)),
    ],
)
def test_colours(format: str, texel: Any, colour: tuple[int, ...]) -> None:
    found = format_of_name(format)
    texels = np.array([[texel]], found.dtype)
    np.testing.assert_array_equal(colours(texels, format), [[colour]])


def colours(texels: Any, format: str) -> Any:
    shown = preview(texels, format_of_name(format), "u0")
    return None if shown is None else shown.colours


def test_some_texels_of_a_large_texture() -> None:
    texels = np.zeros((4096, 6000), np.uint8)
    texels[::3, ::3] = 255
    np.testing.assert_array_equal(colours(texels, "r8_unorm"), np.full((1366, 2000, 3), 255))


@pytest.mark.parametrize(
    ("format", "texels", "expected"),
    [
        ("r32_uint", [[2**32 - 11, 2**32 - 1]], [[(0,) * 3, (255,) * 3]]),
        ("r32_sint", [[-5, -1, -5]], [[(0,) * 3, (255,) * 3, (0,) * 3]]),
        ("r16_uint", [[9, 9]], [[(0,) * 3] * 2]),
        ("r8g8_uint", [[(10, 20), (30, 60)]], [[(0, 51, 0), (102, 255, 0)]]),
        ("r8g8b8a8_snorm", [[(-127, 0, 127, 50)]], [[(0, 127.5, 255)]]),
    ],
)
def test_integers_from_the_least_to_the_greatest(format: str, texels: Any, expected: Any) -> None:
    found = colours(np.array(texels, format_of_name(format).dtype), format)
    assert np.abs(found - np.array(expected)).max() <= 0.5


@pytest.mark.parametrize("format", ["r10g10b10a2_unorm", "r11g11b10_float", "b5g6r5_unorm"])
def test_packed_texels_are_no_colours(format: str) -> None:
    found = format_of_name(format)
    assert colours(np.ones((2, 2), found.dtype), format) is None


@pytest.mark.parametrize("size", [(1, 1), (7, 3), (640, 480), (3, 900)])
def test_a_large_picture_is_made_smaller(size: tuple[int, int]) -> None:
    height, width = size
    texels = np.random.default_rng(1).integers(0, 256, (height, width, 3), dtype=np.uint8)
    made = fitted(texels, 80, 60)
    assert made.shape[0] <= 60
    assert made.shape[1] <= 80
    if max(size) <= 60:
        np.testing.assert_array_equal(made, texels)


def test_means_of_texels() -> None:
    texels = np.random.default_rng(1).integers(0, 256, (120, 160, 3), dtype=np.uint8)
    box = np.asarray(Image.fromarray(texels).resize((80, 60), Image.Resampling.BOX))
    assert np.abs(fitted(texels, 80, 60).astype(int) - box).max() <= 1


def test_a_terminal_with_256_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    """The cube begins at 16; its levels are 0, 95, 135, 175, 215 and 255."""
    monkeypatch.delenv("COLORTERM", raising=False)
    text = picture_text(np.array([[[255, 0, 0], [95, 135, 175]]], np.uint8))
    assert re.findall(r"38;5;(\d+)m", text) == [str(16 + 36 * 5), str(16 + 36 + 6 * 2 + 3)]
