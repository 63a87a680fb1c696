"""Arrays and pictures in files, as elements of resources.

Pictures are read by Pillow, which is installed where they are used (`sm5vk[images]`).
"""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import numpy as np

from vkrunner import ArgumentError
from vkrunner.shadertest.cases import Pattern
from vkrunner.shadertest.cursor import Token
from vkrunner.values.arrays import Array, bytes_of, read_npy
from vkrunner.values.elements import ElementType

# The errors of Pillow for pictures that are broken, besides OSError
_MALFORMED = (ValueError, EOFError, TypeError, OverflowError, SyntaxError)
_MODES = {1: "L", 2: "LA", 4: "RGBA"}


def read_elements(pattern: Pattern, element: ElementType) -> tuple[Array, np.dtype[Any]]:
    """(the elements in a file, u8[n, itemsize]; the type of its numbers).

    Raises ShaderTestError where the file has anything else.
    """
    array = _read(pattern, element)
    if array.dtype.names is None:
        for kind in dict.fromkeys(leaf.dtype for leaf in element.leaves):
            _check_kind(array, kind, pattern.token)
    size = element.itemsize
    if array.nbytes % size:
        raise pattern.token.error(f"{array.nbytes} bytes are not whole elements of {size} bytes")
    return bytes_of(array).reshape(-1, size), array.dtype


def check_regular(path: Path, token: Token) -> None:
    """Raise ShaderTestError for a pipe or a device, which may have no end."""
    if path.exists() and not path.is_file():
        raise token.error(f"{path}: not a regular file")


def _check_kind(array: Array, kind: np.dtype[Any] | None, token: Token) -> None:
    """Raise ShaderTestError where an array's numbers are not of the element's kind."""
    size = kind.itemsize if kind is not None else 4
    is_float = kind is not None and kind.kind == "f"
    if array.dtype.itemsize != size or (kind is not None and is_float != (array.dtype.kind == "f")):
        wanted = str(kind) if kind is not None else "numbers of 4 bytes"
        raise token.error(f"an array of {array.dtype} in a place for {wanted}")


def _read(pattern: Pattern, element: ElementType) -> Array:
    path = pattern.path
    assert path is not None
    check_regular(path, pattern.token)
    try:
        if pattern.name == "image":
            return _read_image(path, element)
        with path.open("rb") as file:
            return read_npy(file, str(path))
    except OSError as error:
        raise pattern.token.error(f"{path}: {error.strerror or error}") from None
    except ArgumentError as error:
        raise pattern.token.error(str(error)) from None


def _read_image(path: Path, element: ElementType) -> Array:
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
