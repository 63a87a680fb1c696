"""The compiled shaders in `data` (its manifest names their sources), and arrays for them."""

from pathlib import Path
from typing import Any

import numpy as np

import translate
from translate.isa.instruction import Instruction

Array = np.ndarray[Any, Any]
DATA = Path(__file__).parent / "data"

# Extents of a texture of each dimension, in an array's order; all axes differ in length.
SHAPES = {
    "1d": (13,),
    "1darray": (3, 13),
    "2d": (7, 13),
    "2darray": (3, 7, 13),
    "3d": (5, 7, 13),
    "cube": (6, 8, 8),
    "cubearray": (12, 8, 8),
    "2dms": (5, 6, 4),
    "2dmsarray": (3, 5, 6, 4),
}
AXES = {"1d": 1, "1darray": 1, "2d": 2, "2darray": 2, "3d": 3, "cube": 2, "cubearray": 2}
LAYERED = ("1darray", "2darray", "cube", "cubearray", "2dmsarray")


def shader(name: str) -> Path:
    return DATA / f"{name}.dxbc"


def texture_rows() -> set[Instruction]:
    """The rows of the instruction table that the shaders use; tests dispatch all of them."""
    programs = (translate.load(path) for path in sorted(DATA.glob("*.dxbc")))
    return {statement.row for program in programs for statement in program.statements}


def level_shape(dimension: str, shape: tuple[int, ...], mip: int) -> tuple[int, ...]:
    """The extents of a mip: all are halved except layers."""
    layers = 1 if dimension in LAYERED else 0
    return (*shape[:layers], *(max(1, n >> mip) for n in shape[layers:]))


def numbered(shape: tuple[int, ...], dtype: Any = np.float32) -> Array:
    """1, 2, 3, ...: all texels differ, and none is 0."""
    return np.arange(1, 1 + int(np.prod(shape))).reshape(shape).astype(dtype)


def pad(rows: Array, count: int) -> Array:
    """Whole thread groups: the rows, then zeros."""
    out = np.zeros((-(-len(rows) // count) * count, *rows.shape[1:]), rows.dtype)
    out[: len(rows)] = rows
    return out
