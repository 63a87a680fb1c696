"""Rows of figures, as a table and as JSON, and the machine that they were measured on."""

from __future__ import annotations

import datetime
import importlib.metadata
import os
import platform
import re
import shutil
import subprocess
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

import vkrunner

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a table: what was measured, and its figures by the names of their columns."""

    name: str
    figures: dict[str, float]


def table(title: str, rows: Sequence[Row]) -> str:
    """Text in columns; a figure that a row lacks is a dash."""
    columns = list(dict.fromkeys(name for row in rows for name in row.figures))
    lines = [[title, *columns]]
    lines += [[row.name, *(_number(row.figures.get(c)) for c in columns)] for row in rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join([line[0].ljust(widths[0]), *map(str.rjust, line[1:], widths[1:])])
        for line in lines
    )


def beyond(items: Iterable[T], ratio: Callable[[T], float], most: float) -> list[T]:
    """The items whose ratio is larger than `most`, the largest ratio first."""
    return sorted((item for item in items if ratio(item) > most), key=ratio, reverse=True)


def _number(figure: float | None) -> str:
    if figure is None:
        return "-"
    return str(round(figure)) if figure >= 1000 or figure == int(figure) else f"{figure:.3g}"


def machine() -> dict[str, Any]:
    """The machine and the versions, without which figures cannot be compared."""
    return {
        "date": datetime.date.today().isoformat(),
        "cores": os.cpu_count(),
        "processor": _processor(),
        "python": platform.python_version(),
        "devices": [f"{d.name}, {d.driver_version}" for d in vkrunner.devices() if d.index >= 0],
        "glslangValidator": _version("glslangValidator", "--version"),
        "vkd3d-compiler": _version("vkd3d-compiler", "--version"),
        "numpy": np.__version__,
        **{name: _release(name) for name in ("wgpu", "compushady-lrtu")},
    }


def _processor() -> str:
    """The processor's model name, where the system has it."""
    about = Path("/proc/cpuinfo")
    found = re.search(r"model name\s*: (.*)", about.read_text()) if about.exists() else None
    return found[1] if found else platform.processor()


def _version(command: str, flag: str) -> str | None:
    if shutil.which(command) is None:
        return None
    output = subprocess.run([command, flag], capture_output=True, text=True, check=False).stdout
    numbers = re.search(r"\d+(:\d+)?(\.\d+)+", output)
    return numbers[0] if numbers else output.split("\n")[0]


def lower_quartile(times: Sequence[float]) -> float:
    """The 25th percentile: other work on the machine only ever adds to a time."""
    return float(np.quantile(times, 0.25))


def _release(package: str) -> str | None:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


@cache
def has(command: str) -> bool:
    """Whether a peer is installed."""
    return shutil.which(command) is not None
