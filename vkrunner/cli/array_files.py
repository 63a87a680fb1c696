"""Arrays of `sm5vk run` from files: .npy, bytes, and pictures."""

from __future__ import annotations

import sys
from io import BufferedReader, BytesIO
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.lib.format import MAGIC_PREFIX

from translate.files import open_regular
from vkrunner import ArgumentError
from vkrunner.cli.source import STDIN
from vkrunner.values.arrays import Array, read_npy
from vkrunner.values.formats import Format
from vkrunner.values.pictures import blue_first, is_picture, read_picture

RAW = (".raw", ".bin")


def is_raw(path: str) -> bool:
    """Whether the file's name says that it has bytes alone."""
    return Path(path).suffix.lower() in RAW


def load_raw(path: str, dtype: np.dtype[Any], label: str) -> Array:
    """The bytes of a file as elements of a type.

    Raises ArgumentError unless the file has a whole number of them, and OSError.
    """
    with open_regular(Path(path)) as file:
        data = file.read()
    if len(data) % dtype.itemsize:
        raise ArgumentError(
            f"{label}: {path} has {len(data)} bytes, which are not whole elements of"
            f" {dtype.itemsize} bytes"
        )
    return np.frombuffer(data, dtype.base).reshape(-1, *dtype.shape)


def load(path: str, format: Format | None = None) -> Array:
    """The array of a .npy file or of standard input, or the texels of a picture.

    Raises ArgumentError for other contents, and OSError.
    """
    if path == STDIN:
        return read_npy(_all_of(cast("BufferedReader", sys.stdin.buffer)), path)
    if is_picture(path):
        is_simple = format is not None and format.dtype == np.uint8 and not format.has_blocks
        components = format.components if format is not None and is_simple else None
        texels = read_picture(Path(path), components)
        return blue_first(texels) if format is not None and format.is_blue_first else texels
    with open_regular(Path(path)) as file:
        return read_npy(cast("BufferedReader", file), path)


def _all_of(stream: BufferedReader) -> BufferedReader:
    """A seekable copy of a stream. If it does not begin with an array, the rest is not read."""
    first = stream.read(len(MAGIC_PREFIX))
    return BufferedReader(BytesIO(first + stream.read() if first == MAGIC_PREFIX else first))
