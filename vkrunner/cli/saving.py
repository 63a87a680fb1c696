"""Results of `sm5vk run` as files, .npy."""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO

import numpy as np

from translate import ShaderInterface
from vkrunner import ArgumentError, Result
from vkrunner.binding.registers import label_of
from vkrunner.cli.output import write_all
from vkrunner.values.arrays import Array


def save(interface: ShaderInterface, result: Result, saves: Mapping[str, str]) -> None:
    """Write results by register to files. Raises ArgumentError for a null resource, and OSError."""
    contents: dict[str, bytes] = {}
    for register, path in saves.items():
        if register not in result:
            raise ArgumentError(f"--save: {label_of(interface[register])} is null")
        contents[path] = _npy(result[register])
    if contents:
        write_all(contents)


def _npy(array: Array) -> bytes:
    file = BytesIO()
    np.save(file, array, allow_pickle=False)
    return file.getvalue()
