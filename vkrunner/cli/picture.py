"""Pictures on a terminal: two pixels in each character, an upper and a lower one."""

from __future__ import annotations

import os
import shutil
import sys

from vkrunner.cli.colour import has_colour
from vkrunner.values.arrays import Array
from vkrunner.values.pictures import fitted

_HALF = "\u2580"  # the upper half of a character is in the text's colour
_MOST_LINES = 24
_RESET = "\x1b[0m"


def shows_pictures() -> bool:
    """Whether standard output is a terminal with colours and Unicode."""
    encoding = (getattr(sys.stdout, "encoding", None) or "").lower().replace("-", "")
    return has_colour(sys.stdout) and encoding == "utf8"


def picture_text(texels: Array) -> str:
    """A picture, u8[height, width, 3], in lines of coloured characters, as large as fits."""
    columns, lines = shutil.get_terminal_size()
    shown = fitted(texels, columns, 2 * min(max(lines - 4, 1), _MOST_LINES)).tolist()
    rows = (
        _line(upper, lower) for upper, lower in zip(shown[::2], [*shown[1::2], []], strict=False)
    )
    return "".join(rows)


def _line(upper: list[list[int]], lower: list[list[int]]) -> str:
    """A line of the upper and the lower row of pixels; the last row has none below it."""
    cells = [_colour(38, pixel) for pixel in upper]
    below = [_colour(48, pixel) for pixel in lower] or [""] * len(cells)
    return "".join(f"{a}{b}{_HALF}" for a, b in zip(cells, below, strict=True)) + f"{_RESET}\n"


def _colour(ground: int, pixel: list[int]) -> str:
    """The escape sequence for a colour; of terminals with 256 colours, the nearest of its cube."""
    red, green, blue = pixel
    if os.environ.get("COLORTERM", "") in ("truecolor", "24bit"):
        return f"\x1b[{ground};2;{red};{green};{blue}m"
    r, g, b = (max(0, (value - 35) // 40) for value in pixel)  # levels 0, 95, 135, 175, 215, 255
    return f"\x1b[{ground};5;{16 + 36 * r + 6 * g + b}m"
