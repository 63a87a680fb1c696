"""Finds the HLSL files that a shader's debug information names, in the folders of this machine."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path, PurePosixPath, PureWindowsPath

from translate import Where
from translate.errors import SourcePlace
from vkrunner.shadertest.cases import ShaderSection
from vkrunner.shadertest.cursor import Folders

_MOST_PARTS = 64  # of a path, each of which is looked up with those after it


def hlsl_where(section: ShaderSection, place: SourcePlace) -> Where | None:
    """The place in a file that exists; None if the line or the file is not known.

    Files may have been compiled on another machine: a path is looked up by its last parts, as many
    as possible, below the shader's folder, the folders of `include` and the working folder. Of
    files elsewhere it tells nothing, not even whether they exist.
    """
    if place.hlsl_line is None or not place.hlsl_file:
        return None
    own = section.path.parent if section.path is not None else section.token.line.folders.own
    folders = [own, *map(Path, (section.hlsl or {}).get("include", ())), Path()]
    parts = _parts(place.hlsl_file)
    above = [number for number, part in enumerate(parts) if part == os.pardir]
    for first in range(above[-1] + 1 if above else 0, len(parts)):
        for folder in folders:
            found = folder.joinpath(*parts[first:])
            with suppress(OSError, ValueError):  # a name that no file can have
                if found.is_file() and Folders.of(folder).have(found):
                    return Where(os.path.normpath(found), place.hlsl_line)
    return None


def _parts(name: str) -> tuple[str, ...]:
    """The parts of a path of Windows or Linux, without drive and root."""
    path = PureWindowsPath(name) if "\\" in name else PurePosixPath(name)
    return (path.parts[1:] if path.anchor else path.parts)[-_MOST_PARTS:]
