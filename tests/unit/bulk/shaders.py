"""Shaders for bulk translation: many different ones, one that is refused, and a deadly one."""

import os
from pathlib import Path

import translate
from translate.bulk import Input, Recipe

RECIPE = Recipe(translate.Options(), interfaces=True)
_LISTING = """cs_5_0
dcl_globalFlags refactoringAllowed
dcl_uav_structured u0, 4
dcl_thread_group 1, 1, 1
store_structured u0.x, l(0), l(0), l({value})
ret
"""


def container(value: int) -> bytes:
    """A container that stores `value`: different for each."""
    return translate.assemble(_LISTING.format(value=value))


def refused() -> bytes:
    """A container whose end is missing."""
    return container(0)[:-8]


def make_cache(folder: Path, count: int) -> None:
    """`count` different containers in folders, with names as in a shader cache."""
    for value in range(count):
        path = folder / f"{value % 3}" / f"{value:04x}.cso"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(container(value))


def contents(folder: Path) -> dict[str, bytes]:
    """Every file below a folder."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


class Deadly(Input):
    """A shader that ends the process that translates it."""

    def read(self) -> bytes:
        return _Deadly(container(-1))


class _Deadly(bytes):
    def __bytes__(self) -> bytes:
        os._exit(1)
