"""Compile HLSL to a container: run the compiler on copies of the source and its included files."""

from __future__ import annotations

import codecs
import errno
import hashlib
import os
import re
import tempfile
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path

from translate.dataclass import dataclass, replace
from translate.errors import CompileError, Where, listed
from translate.files import as_utf8, read_named, signals_held
from translate.hlsl.compilers import FXC, VKD3D, Ended, find_compiler, head_of, run, words_of
from translate.hlsl.includes import (
    MOST_PARENTS,
    Includes,
    Tree,
    find_includes,
    free_name,
    is_other_folder,
)
from translate.hlsl.messages import (
    ERROR,
    WARNING,
    FileNames,
    Message,
    error_of,
    nested_array_warnings,
    other_lines,
    read_messages,
    without_wrong_lines,
)
from translate.hlsl.options import HlslOptions
from translate.hlsl.source import HlslSource, decoded, lines_of

_BAD_CHARACTER = re.compile("illegal character|invalid token", re.IGNORECASE)
_MISSING_FILE = "X1507"
_MAGIC = b"DXBC"
_SHOWN_LINES = 20
_DEBUG_FLAGS = ("Zi", "Zss", "Zsb", "Od")


@dataclass(frozen=True)
class CompiledHlsl:
    """The result of compiling HLSL.

    Attributes
    ----------
    container : bytes
        The DXBC container.
    compiler : str
        The command of the compiler.
    warnings : tuple of str
        The compiler's warnings, each with its place, source line and caret.
    """

    container: bytes
    compiler: str
    warnings: tuple[str, ...] = ()


def compile_hlsl(
    source: str | bytes | os.PathLike[str],
    options: HlslOptions | None = None,
    *,
    file: str | None = None,
) -> CompiledHlsl:
    """Compile HLSL to a DXBC container.

    The compiler is the command in SM5VK_FXC, else fxc on PATH, else (on Windows)
    d3dcompiler_47.dll, else vkd3d-compiler on PATH.

    Parameters
    ----------
    source : str, bytes or path
        A path, or the text as bytes or as a `str` that contains a newline.
    options : HlslOptions, optional
        Entry point, profile, macros, folders; `HlslOptions()` by default.
    file : str, optional
        The file name in errors, if `source` is text. Its folder is the first to be searched by
        `#include`; without it, the current folder is.

    Returns
    -------
    CompiledHlsl
        The container, and the compiler's warnings.

    Raises
    ------
    CompileError
        The compiler rejected the source, failed, or was not found.
    OSError
        The path cannot be read.
    """
    if isinstance(source, str) and "\n" in source:
        source = source.encode("utf-8", "surrogatepass")
    if isinstance(source, (str, os.PathLike)):
        source, file = read_named(source), os.fspath(source)
    return Compilation(HlslSource(as_utf8(bytes(source)), file), options or HlslOptions()).run()


class Compilation:
    """A source, options, and a compiler. Raises CompileError if no compiler is found.

    `with_lines`: ask fxc for debug information, unless the options name some or `-Od`. The code
    stays the same; that of `-Od` would change.
    """

    def __init__(self, source: HlslSource, options: HlslOptions, *, with_lines: bool = False):
        self._source = source
        self._options = options
        self._tree: Tree | None = None
        self._originals: dict[str, str | None] = {}  # by names in the compiler's output
        for folder in options.folders:
            if not os.path.isdir(folder):
                raise NotADirectoryError(errno.ENOTDIR, "no folder for #include", folder)
        with self._errors_of_file():
            self._compiler = find_compiler()
        if with_lines and self._takes_debug_flag:
            self._options = replace(options, fxc_flags=(*options.flags, "/Zi"))

    @property
    def _takes_debug_flag(self) -> bool:
        given = {flag[1:] for flag in self._options.flags}
        return self._compiler.form == FXC and given.isdisjoint(_DEBUG_FLAGS)

    @property
    def entry_name(self) -> str:
        """The entry function."""
        return self._options.entry_name

    def with_debug_information(self) -> Compilation | None:
        """The same with debug information; None where that has some, or would change the code."""
        if not self._takes_debug_flag:
            return None
        again = Compilation(self._source, self._options, with_lines=True)
        again._includes = self._includes
        return again

    def texts(self, marks: Sequence[bytes], longest: int) -> Iterator[str]:
        """The source and all that it may include, of those texts that have one of these words.

        Those of more than `longest` bytes are left out, and those with equal bytes come once.
        """
        included = self._includes.files.values()
        known = {id(data): data for data in (self._source.data, *included) if data is not None}
        for data in known.values():
            if len(data) <= longest and any(mark in data for mark in marks):
                yield decoded(data)

    def warning(self, name: str, line: int, message: str) -> str:
        """A warning in the form of the compiler's, at a line of a file that it names."""
        file, lines, _ = self._lines_of(name)
        shown = decoded(lines[line - 1]) if 0 < line <= len(lines) else None
        return str(Message(WARNING, message, Where(file or self._source.label, line), shown))

    @property
    def included(self) -> tuple[list[str], str]:
        """The files that may be included, and the reason if others may be too, else ""."""
        found = self._includes
        paths = [path for path, data in found.files.items() if data is not None]
        return [*map(self._shown, paths)], found.unknown

    def inputs(self) -> list[object] | None:
        """Everything that affects the result, as plain data; None if it cannot be determined.

        Equal inputs give equal containers. They are the source's file, the options, the contents of
        the compiler's files, a digest of every file that may be included with its name in
        warnings, and the folders on the way.
        """
        if self._includes.unknown:
            return None
        chosen = self._options
        return [
            hashlib.sha256(self._source.data).hexdigest(),
            [self._source.file, self._source.folder],
            [chosen.entry_name, chosen.profile, chosen.macros, chosen.folders, chosen.flags],
            self._compiler.identity(),
            self._digests,
            [*self._includes.folders],
            [*self._includes.blocking],
        ]

    @cached_property
    def _digests(self) -> list[list[str]]:
        """Each path that may be included, with the SHA-256 and the shown name of its file."""
        return [
            [path] if data is None else [path, hashlib.sha256(data).hexdigest(), self._shown(path)]
            for path, data in self._includes.files.items()
        ]

    def run(self) -> CompiledHlsl:
        """Run the compiler. Raises CompileError if it rejects the source or fails."""
        with self._errors_of_file():
            self._check_included()
            with (
                signals_held() as has_signal,
                tempfile.TemporaryDirectory(prefix="sm5vk-") as temporary,
            ):
                ended, container = self._run_in(os.path.realpath(temporary), has_signal)
            return self._checked(ended, container)

    def _check_included(self) -> None:
        """Raise CompileError if the compiler might read a pipe or a device, which may never end.

        Also if it might leave its temporary folder, or search another folder.
        """
        if self._includes.refused:
            raise CompileError(f"an #include cannot be followed: {self._includes.refused}")
        others = filter(is_other_folder, self._real_folders)
        if self._includes.unknown and self._compiler.form == FXC and (other := next(others, None)):
            raise CompileError(
                f"{other!a} may be another folder for the compiler, which searches it itself, since"
                f" {self._includes.unknown}: rename the folder"
            )
        for path in self._includes.files:
            if os.path.exists(path) and not (os.path.isfile(path) or os.path.isdir(path)):
                raise CompileError(
                    f"#include finds {self._shown(path)}, which is not a regular file"
                )

    def _run_in(self, place: str, is_stopped: Callable[[], bool]) -> tuple[Ended, bytes]:
        made = os.path.join(place, "out.dxbc")
        # A name of many `..` leads to empty folders.
        below = os.path.join(place, *["_"] * MOST_PARENTS)
        os.makedirs(below)
        text, folders = self._copied(below)
        # A folder without files: the command may have a name that is sought in the working folder.
        working = folders[0] if self._compiler.form == VKD3D else place
        words = words_of(
            self._compiler,
            self._options,
            _relative(text, working),
            _relative(made, working),
            [_relative(path, working) for path in folders],
        )
        ended = run(words, working, self._options.compile_timeout, is_stopped)
        return ended, Path(made).read_bytes() if os.path.isfile(made) else b""

    def _copied(self, place: str) -> tuple[str, list[str]]:
        """The path of the source's copy, and the folders that `#include` searches, its own first.

        Included files are copied with the source if they are known; otherwise the compiler reads
        them from their folders.
        """
        data = self._source.prefixed(self._head[0])
        folders = self._real_folders
        if not self._includes.unknown:
            self._tree = Tree(place, self._includes)
            folders = [self._tree.place(folder) for folder in folders]
            for folder in folders:
                os.makedirs(folder, exist_ok=True)
            place = folders[0]
        text = os.path.join(place, self._copy_name)
        Path(text).write_bytes(data)
        return text, folders

    @contextmanager
    def _errors_of_file(self) -> Generator[None]:
        """In a `with` block, add the source's file to errors that have no file."""
        try:
            yield
        except CompileError as error:
            if error.where.file is None and self._source.file is not None:
                error.where = Where(self._source.file)
            raise

    def _checked(self, ended: Ended, container: bytes) -> CompiledHlsl:
        messages = read_messages(ended.output, self._lines_of)
        if self._compiler.form == VKD3D:
            messages = [*without_wrong_lines(messages, self._source.label, self._root_lines)]
            messages += nested_array_warnings(self._texts)
        if ended.code == 0 and container[:4] == _MAGIC:
            warnings = tuple(str(message) for message in messages)
            return CompiledHlsl(container, str(self._compiler), warnings)
        if any(message.kind == ERROR for message in messages):
            raise error_of(messages, self._hint(messages))
        how = ended.how if ended.code else "it wrote no container and reported no error"
        said = other_lines(ended.output)[-_SHOWN_LINES:]
        how += "" if said else ", without any output"
        missing = self._compiler.missing_program()
        question = f"; does {missing} exist?" if missing is not None else ""
        raise CompileError("\n".join([f"{self._compiler} failed: {how}{question}", *said]))

    def _hint(self, messages: Sequence[Message]) -> str:
        """Advice on the compiler's errors, or ""."""
        less = f"{VKD3D} compiles less of HLSL than fxc" if self._compiler.form == VKD3D else ""
        hints = (
            self._entry_hint(messages),
            self._mark_hint(messages),
            self._include_hint(messages),
            less,
        )
        return "; ".join(filter(None, hints))

    def _mark_hint(self, messages: Sequence[Message]) -> str:
        """Name an included file with a byte-order mark, which compilers refuse, or give ""."""
        marked = [path for path, rows in self._included.items() if rows[0][:3] == codecs.BOM_UTF8]
        if not marked or not any(_BAD_CHARACTER.search(message.text) for message in messages):
            return ""
        return (
            f"{self._shown(marked[0])} begins with a byte-order mark: save it as UTF-8 without one"
        )

    def _include_hint(self, messages: Sequence[Message]) -> str:
        """Name the folders that were searched for an included file that is missing, or give ""."""
        if not any(_MISSING_FILE in message.text for message in messages):
            return ""
        searched = listed(dict.fromkeys(map(self._shown, self._real_folders)))
        return f"#include searched {searched}: include= adds a folder, -I on the command line"

    def _entry_hint(self, messages: Sequence[Message]) -> str:
        """Name the possible entry points if the compiler did not find the given one."""
        names = self._source.entry_points()
        missing = any(
            "entry" in message.text.lower() and self._options.entry_name in message.text
            for message in messages
            if message.where.line is None
        )
        if not names and (missing or any("numthreads" in message.text for message in messages)):
            return "no function has [numthreads(X, Y, Z)], and only compute shaders are run"
        if missing and self._options.entry_name in names:
            return f"is {self._options.entry_name} within an #if? -D NAME defines a macro"
        if not missing:
            return ""
        option = f"entry={names[0]!r}, or --entry {names[0]} on the command line"
        return f"choose the entry point: {', '.join(names)} ({option})"

    @cached_property
    def _copy_name(self) -> str:
        return free_name(self._source.name, self._includes)

    def _original(self, name: str) -> str | None:
        """The source or included file for a name in the compiler's output."""
        if name not in self._originals:
            whole = self._tree.original(name) if self._tree is not None else None
            self._originals[name] = whole or self._files.find(name)
        return self._originals[name]

    @cached_property
    def _files(self) -> FileNames:
        return FileNames((self._source.label, *self._included))

    @cached_property
    def _head(self) -> tuple[str, int]:
        return head_of(self._compiler, self._options, self._source.name)

    def _lines_of(self, name: str) -> tuple[str | None, Sequence[bytes], int]:
        """The file for a name in the compiler's output, its lines, and the lines before them.

        The lines are empty if the file is unknown.
        """
        root = self._source.label
        if name in ("", self._source.name) or re.split(r"[/\\]", name)[-1] == self._copy_name:
            found = root
        else:
            found = self._original(name)
        if found == root:
            return self._source.file, self._root_lines, self._head[1]
        return (
            (self._shown(found), self._included[found], 0) if found is not None else (name, (), 0)
        )

    def _shown(self, path: str) -> str:
        """An included file's path, relative to the current folder if it is below that.

        It begins with the source's folder as that was given, which may be a link.
        """
        real = self._real_folders[0]
        if path.startswith(os.path.join(real, "")):
            path = os.path.join(self._source.folder, os.path.relpath(path, real))
        relative = os.path.relpath(path) if os.path.splitdrive(path)[0] == "" else path
        return path if relative.startswith(os.pardir) else relative

    @cached_property
    def _real_folders(self) -> list[str]:
        """The folders that `#include` searches, the source's first, without symbolic links."""
        return [os.path.realpath(f) for f in (self._source.folder, *self._options.folders)]

    @cached_property
    def _texts(self) -> dict[str, bytes]:
        """The source and its included files, by the names that messages show."""
        included = {self._shown(path): b"\n".join(rows) for path, rows in self._included.items()}
        return {self._source.label: self._source.data, **included}

    @cached_property
    def _root_lines(self) -> Sequence[bytes]:
        return lines_of(self._source.data.removeprefix(codecs.BOM_UTF8))

    @cached_property
    def _included(self) -> dict[str, Sequence[bytes]]:
        files = self._includes.files
        return {path: lines_of(data) for path, data in files.items() if data is not None}

    @cached_property
    def _includes(self) -> Includes:
        """The files that may be included, as they were before the compilation."""
        return find_includes(self._source, self._options.folders)


def _relative(path: str, folder: str) -> str:
    """A path relative to a folder; unchanged if it is on another Windows drive."""
    try:
        return os.path.relpath(os.path.realpath(path), os.path.realpath(folder))
    except ValueError:
        return path
