"""Pictures as arrays, by Pillow, which is installed where pictures are used (`sm5vk[images]`)."""

from __future__ import annotations

import importlib
from pathlib import Path

import numpy as np

from vkrunner import ArgumentError
from vkrunner.values.arrays import Array
from vkrunner.values.elements import ElementType

# What Pillow raises for pictures that are broken, besides OSError
_MALFORMED = (ValueError, EOFError, TypeError, OverflowError, SyntaxError)
_MODES = {1: "L", 2: "LA", 4: "RGBA"}


def read_image(path: Path, element: ElementType) -> Array:
    """u8[height, width, components], with as many components as an element has; OSError.

    A picture without alpha has an alpha of 255.
    """
    try:
        pillow = importlib.import_module("PIL.Image")
    except ImportError:
        raise ArgumentError("images need Pillow: pip install pillow") from None
    mode = _MODES.get(len(element.leaves))
    if mode is None or any(leaf.size != 1 for leaf in element.leaves):
        raise ArgumentError("images are for formats of 1, 2 or 4 components of 8 bits")
    try:
        with pillow.open(path) as picture:
            array = np.asarray(picture.convert(mode))
    except _MALFORMED as error:
        raise ArgumentError(f"{path} is no picture: {error}") from None
    if element.leaves[0].name == ".b":
        array = array[..., [2, 1, 0, 3]]
    return np.ascontiguousarray(array)
