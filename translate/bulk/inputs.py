"""Find the shaders that paths, folders and patterns name, and name their outputs."""

from __future__ import annotations

import glob
import os
import re
import shlex
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from translate.bulk.extract import Note, Part, find_parts
from translate.dataclass import dataclass
from translate.dxbc.container import HEADER, MAGIC
from translate.errors import escaped
from translate.files import files_below, matching, open_regular, read_input

_PROFILE = re.compile(rb"\s*[a-z]s_\d_\d\b")
_LINE_BYTES = 4096  # listings have no longer lines


@dataclass(frozen=True, slots=True, order=True)
class Input:
    """A shader to translate: a file, or a container inside a file.

    Attributes
    ----------
    name : str
        The path relative to the common folder of all inputs, with slashes. For a container inside a
        file, the part's name is appended.
    path : Path
        The file.
    part : Part or None
        The container inside the file; None for the whole file.
    """

    name: str
    path: Path
    part: Part | None = None

    def read(self) -> bytes:
        """Read the shader.

        Returns
        -------
        bytes
            The contents of the file or of the part.

        Raises
        ------
        OSError
            The file cannot be read.
        """
        return read_input(self.path) if self.part is None else self.part.read(self.path)

    def __str__(self) -> str:
        path = escaped(str(self.path))
        return path if self.part is None else f"{path}[{self.part.name}]"


def find_inputs(
    sources: Sequence[str], note: Callable[[Note], object] = lambda note: None
) -> list[Input]:
    """Find the shaders in files, folders and patterns, each once.

    Parameters
    ----------
    sources : sequence of str
        Files, folders, and patterns with `*`, `?`, `[]` and `**`. A folder stands for every DXBC
        container and every listing below it, whatever their names. It skips a listing that has the
        same name as a container except for the suffix. A file that is neither a container nor a
        listing, or has others after its container, is searched for containers, as by
        `sm5vk extract`.
    note : callable, optional
        Called with a Note for each damaged container.

    Returns
    -------
    list of Input
        The shaders, sorted by their names. These are relative to the deepest folder that contains
        all sources.

    Raises
    ------
    FileNotFoundError
        A source matches no shader.
    """
    paths: dict[str, None] = {}
    bases: list[str] = []
    for source in sources:
        base, found = _expand(source)
        if not found:
            raise FileNotFoundError(escaped(_why_nothing(source)))
        bases.append(base)
        paths.update(dict.fromkeys(found))
    root = os.path.commonpath(bases)
    return sorted(
        given
        for path in paths
        for given in _inputs_of(Path(os.path.relpath(path, root)).as_posix(), Path(path), note)
    )


def _why_nothing(source: str) -> str:
    """Why a source gives no shader; for a folder with HLSL, how to translate that."""
    if not (os.path.exists(source) or _is_pattern(source)):
        return f"{source}: no such file or folder"
    nothing = f"nothing to translate: {source}"
    files = [path for path in files_below(source) if path.endswith(".hlsl")]
    if not files:
        return nothing
    return (
        f"{nothing}; its HLSL, {len(files)} files, is translated one entry point at a time:"
        f" sm5vk translate {shlex.quote(files[0])} --entry NAME"
    )


def _inputs_of(name: str, path: Path, note: Callable[[Note], object]) -> Iterator[Input]:
    """The file itself, or the containers inside it if it is not a shader, or not one alone."""
    is_shader = _is_shader(path)
    found = [] if is_shader and not _has_bytes_after(path) else [*find_parts(path)]
    notes = [one for one in found if isinstance(one, Note)]
    parts = {one.name: one for one in reversed(found) if isinstance(one, Part)}  # the first of each
    is_alone = len(parts) == 1 and not notes and min(parts.values()).start == 0
    if is_shader and (not parts or is_alone):  # the reader warns of the bytes after it
        yield Input(name, path)
        return
    for one in notes:
        note(one)
    if not parts:
        yield Input(name, path)
    yield from (Input(f"{name}.{part.name}", path, part) for part in parts.values())


def _has_bytes_after(path: Path) -> bool:
    """Whether a file begins with a container and has more bytes than that."""
    with suppress(OSError), open_regular(path) as file:
        header = file.read(HEADER.size)
        if len(header) == HEADER.size:
            magic, *_, size, _ = HEADER.unpack(header)
            return magic == MAGIC and size < os.fstat(file.fileno()).st_size
    return False


def _expand(source: str) -> tuple[str, list[str]]:
    """The base folder of a source, and the absolute paths of its files."""
    absolute = os.path.abspath(source)
    if os.path.isdir(source):
        return absolute, _in_folder(absolute)
    if not _is_pattern(source):
        return os.path.dirname(absolute), [absolute] if os.path.exists(source) else []
    found = matching(absolute, include_hidden=True)
    return _fixed_part(absolute), sorted(path for path in found if os.path.isfile(path))


def _in_folder(folder: str) -> list[str]:
    """The containers below a folder, and the listings that do not belong to one of them."""
    files = [*files_below(folder)]
    containers = {path: None for path in files if _may_be_container(path)}
    stems = {os.path.splitext(path)[0] for path in containers}
    return [
        path
        for path in files
        if path in containers or (os.path.splitext(path)[0] not in stems and _is_listing(path))
    ]


def _is_pattern(source: str) -> bool:
    return glob.has_magic(source) and not os.path.exists(source)


def _fixed_part(pattern: str) -> str:
    """The folders before the first wildcard."""
    parts = Path(pattern).parts
    first = next(i for i, part in enumerate(parts) if glob.has_magic(part))
    return str(Path(*parts[:first]))


def _is_shader(path: Path) -> bool:
    """Whether a file is a container or a listing; True if it cannot be read."""
    return not path.is_file() or _may_be_container(str(path)) or _is_listing(str(path))


def _may_be_container(path: str) -> bool:
    """Whether a file begins like a container; True if it cannot be read."""
    try:
        with open_regular(Path(path)) as file:
            return file.read(len(MAGIC)) == MAGIC
    except OSError:
        return True  # reading it later gives the error


def _is_listing(path: str) -> bool:
    """Whether the first line that is neither empty nor a comment is a profile (`cs_5_0`).

    True if it cannot be read.
    """
    with suppress(OSError), open_regular(Path(path)) as file:
        while line := file.readline(_LINE_BYTES).removeprefix(b"\xef\xbb\xbf"):
            if line.strip() and not line.lstrip().startswith(b"//"):
                return _PROFILE.match(line) is not None
        return False
    return True
