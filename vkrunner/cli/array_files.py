"""Arrays of `sm5vk run` from files, and results as files: .npy, bytes, pictures, .csv."""

from __future__ import annotations

import csv
import math
import sys
from collections.abc import Iterable, Mapping
from io import BufferedReader, BytesIO, StringIO
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.lib.format import MAGIC_PREFIX

from translate import ShaderInterface
from translate.files import open_regular
from translate.interface import CONSTANT_BUFFER, TEXTURE, Binding
from vkrunner import FileError, MissingError, Result, ShapeError
from vkrunner.binding.registers import written
from vkrunner.cli.output import write_all
from vkrunner.cli.source import STDIN
from vkrunner.values.elements import element_of_dtype
from vkrunner.values.formats import Format, format_of_name
from vkrunner.values.numbers import Array, as_array, bytes_of, read_npy
from vkrunner.values.pictures import PICTURES, blue_first, is_picture, png_of, read_picture
from vkrunner.values.texture_layout import block_axes, dimension_of_name, texel_axes

RAW = (".raw", ".bin", ".buf")
_FORMAT = "r8g8b8a8_unorm"  # in errors, as an example
_FORMULAS = ("=", "+", "-", "@", "\t", "\r", "\n")  # OWASP, CSV injection
_COLOURS = 3
_NPY, _PNG, _CSV = ".npy", ".png", ".csv"
READ = (_NPY, *RAW, *PICTURES)
WRITTEN = f"{', '.join([_NPY, *RAW, _PNG])} and {_CSV}"


def raw_array(
    binding: Binding, text: str, label: str, own: np.dtype[Any], format: Format | None
) -> Array:
    """The bytes of a file as elements of the shader's `own` type, or as texels of the format.

    A texture's text ends with its size: `x.raw@640x480`, and needs a format. Raises ArgumentError
    if the bytes do not fit, and OSError.
    """
    if binding.kind == TEXTURE:
        return _texture(binding, text, label, format)
    if binding.kind == CONSTANT_BUFFER:
        return _constants(binding, text, label)
    dtype = own if format is None else format.dtype
    elements = _elements(text, dtype, label)
    if format is None or format.components == 1:
        return elements
    if elements.size % format.components:
        raise ShapeError(f"{label}: {text} has {elements.nbytes} bytes, not whole texels")
    return elements.reshape(-1, format.components)


def _texture(binding: Binding, text: str, label: str, format: Format | None) -> Array:
    """The texels of `FILE.raw@WIDTHxHEIGHT` in a format."""
    path, _, size = text.rpartition("@")
    shape, format = texture_shape(binding, size, label, path or text, format)
    with open_regular(Path(path)) as file:
        data = file.read()
    needed = math.prod(shape) * format.dtype.itemsize
    if len(data) != needed:
        raise ShapeError(
            f"{label}: {path} has {len(data)} bytes, {size} texels of {format.name} have {needed}"
        )
    return np.frombuffer(data, format.dtype).reshape(shape)


def texture_shape(
    binding: Binding, size: str, label: str, source: str, format: Format | None
) -> tuple[list[int], Format]:
    """The shape of a texture's array from `WIDTHxHEIGHT`, with the axis of the components.

    The size is in texels, in a compressed format whole blocks, which are the array's elements.
    `source` is the text before the size, for errors. A name after the size is no known format.
    """
    size, colon, name = size.partition(":")
    if colon:
        format = format_of_name(name)
    dimension = dimension_of_name(binding.dimension or "")
    axes = dimension.axis_names
    sides = size.split("x")
    are_numbers = size.isascii() and all(side.isdecimal() and len(side) < 10 for side in sides)
    if not are_numbers or len(sides) != len(axes):
        example = "x".join(["64"] * len(axes))
        raise MissingError(
            f"{label}: name the texture's size and format after it: {source}@{example}:{_FORMAT}"
        )
    if format is None:
        raise MissingError(f"{label}: name the texels' format: {source}@{size}:{_FORMAT}")
    shape = [int(side) for side in sides]
    inner = len(shape) - ("samples" in axes)  # the samples of a texel are the last axis
    shape[:inner] = reversed(shape[:inner])
    elements = block_axes(format, dimension, tuple(shape))
    if texel_axes(format, dimension, elements) != tuple(shape):
        block = " by ".join(map(str, format.block))
        raise ShapeError(f"{label}: {format.name} has whole blocks of {block} texels, not {size}")
    return [*elements, *[format.components] * (format.components > 1)], format


def _constants(binding: Binding, path: str, label: str) -> Array:
    """The dwords of a constant buffer, with all its variables."""
    dwords = _elements(path, np.dtype(np.uint32), label)
    needed = max((c.offset + c.size_bytes for c in binding.constants or ()), default=0)
    if dwords.nbytes < needed:
        raise ShapeError(f"{label}: {path} has {dwords.nbytes} bytes, its variables {needed}")
    return dwords


def _elements(path: str, dtype: np.dtype[Any], label: str) -> Array:
    """The bytes of a file as elements of a type."""
    with open_regular(Path(path)) as file:
        data = file.read()
    if len(data) % dtype.itemsize:
        raise ShapeError(
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
    try:
        with open_regular(Path(path)) as file:
            return read_npy(cast("BufferedReader", file), path)
    except FileError as error:
        if Path(path).suffix.lower() == _NPY:
            raise
        kinds = f"{_NPY}, bytes ({', '.join(RAW)}) and pictures ({', '.join(PICTURES)})"
        raise FileError(f"{error}; files are read by their names: {kinds}") from None


def _all_of(stream: BufferedReader) -> BufferedReader:
    """A seekable copy of a stream. If it does not begin with an array, the rest is not read."""
    first = stream.read(len(MAGIC_PREFIX))
    return BufferedReader(BytesIO(first + stream.read() if first == MAGIC_PREFIX else first))


def check_name(path: str) -> None:
    """Raise ArgumentError unless the suffix is one of those that `save` writes, or missing."""
    suffix = Path(path).suffix.lower()
    if suffix not in ("", _NPY, _PNG, _CSV, *RAW):
        raise FileError(f"--save writes {WRITTEN} files, not {suffix}")


def save(
    interface: ShaderInterface,
    result: Result,
    saves: Mapping[str, str],
    formats: Mapping[str, str],
) -> None:
    """Write results by register to files; `formats` has the DXGI formats of texels, where known.

    Raises ArgumentError for a null resource and for an array that a file cannot hold, and OSError.
    """
    contents: dict[str, bytes] = {}
    for register, path in saves.items():
        buffer, _, hidden = register.partition(".")
        key = buffer if hidden else written(interface, register)
        if key not in (result.counters if hidden else result):
            raise MissingError(f"--save: {interface[register].label} is null")
        array = np.array([result.counters[key]], np.uint32) if hidden else result[key]
        components = interface[buffer].components
        contents[path] = _file(array, path, formats.get(register), components)
    if contents:
        write_all(contents)


def _file(array: Array, path: str, format: str | None, components: int | None) -> bytes:
    suffix = Path(path).suffix.lower()
    if suffix in RAW:
        return bytes_of(as_array(array, path)).tobytes()
    if suffix == _CSV:
        return _csv(array, path)
    if suffix == _PNG:
        is_blue_first = format is not None and format_of_name(format).is_blue_first
        texels = blue_first(array) if is_blue_first else array
        if components == _COLOURS and texels.ndim == 3:  # its alpha is one of them again
            texels = texels[..., :_COLOURS]
        return png_of(texels, path)
    file = BytesIO()
    np.save(file, array, allow_pickle=False)
    return file.getvalue()


def _csv(array: Array, path: str) -> bytes:
    """A row for each number, for each row of an array with two axes, or for each structure.

    Structures have a first line with the names of their numbers. Nothing for an empty array.
    """
    if not array.size:
        return b""
    into = StringIO()
    writer = csv.writer(into, lineterminator="\n")
    if array.dtype.names is not None:
        leaves = element_of_dtype(array.dtype).leaves
        rows = bytes_of(as_array(array, path)).reshape(-1, array.dtype.itemsize)
        writer.writerow([_heading(leaf.name.removeprefix(".")) for leaf in leaves])
        columns: list[Any] = [leaf.numbers(rows, leaf.dtype or "u4") for leaf in leaves]
        writer.writerows(map(str, row) for row in zip(*columns, strict=True))
    elif array.ndim in (1, 2):
        table: Array = array.reshape(array.shape[0], -1)
        writer.writerows(map(str, cast("Iterable[Any]", row)) for row in table)
    else:
        shape = list(array.shape)
        raise FileError(f"{path}: a table has one or two axes, not {shape}: save a .npy file")
    return into.getvalue().encode()


def _heading(name: str) -> str:
    """The name of a column, with an apostrophe if a spreadsheet would take it for a formula."""
    return f"'{name}" if name.startswith(_FORMULAS) else name
