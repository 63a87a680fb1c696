"""Results of `sm5vk run` as files: .npy, .raw, .png and .csv."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any, cast

import numpy as np

from translate import ShaderInterface
from vkrunner import FileError, MissingError, Result
from vkrunner.binding.registers import written
from vkrunner.cli.array_files import RAW
from vkrunner.cli.output import write_all
from vkrunner.values.arrays import Array, as_array, bytes_of
from vkrunner.values.elements import element_of_dtype
from vkrunner.values.formats import format_of_name
from vkrunner.values.pictures import blue_first, png_of

_NPY, _PNG, _CSV = ".npy", ".png", ".csv"


def check_name(path: str) -> None:
    """Raise ArgumentError unless the suffix is one of those that `save` writes, or missing."""
    suffix = Path(path).suffix.lower()
    if suffix not in ("", _NPY, _PNG, _CSV, *RAW):
        raise FileError(f"--save writes .npy, .raw, .png and .csv files, not {suffix}")


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
        contents[path] = _file(array, path, formats.get(register))
    if contents:
        write_all(contents)


def _file(array: Array, path: str, format: str | None) -> bytes:
    suffix = Path(path).suffix.lower()
    if suffix in RAW:
        return bytes_of(as_array(array, path)).tobytes()
    if suffix == _CSV:
        return _csv(array, path)
    if suffix == _PNG:
        is_blue_first = format is not None and format_of_name(format).is_blue_first
        return png_of(blue_first(array) if is_blue_first else array, path)
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
        writer.writerow([leaf.name.removeprefix(".") for leaf in leaves])
        columns: list[Any] = [leaf.numbers(rows, leaf.dtype or "u4") for leaf in leaves]
        writer.writerows(map(str, row) for row in zip(*columns, strict=True))
    elif array.ndim in (1, 2):
        table: Array = array.reshape(array.shape[0], -1)
        writer.writerows(map(str, cast("Iterable[Any]", row)) for row in table)
    else:
        shape = list(array.shape)
        raise FileError(f"{path}: a table has one or two axes, not {shape}: save a .npy file")
    return into.getvalue().encode()
