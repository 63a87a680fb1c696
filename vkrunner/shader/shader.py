"""Shader: a kernel's source; it is compiled and translated unless a cache has the result."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import translate
from translate.dataclass import fields
from translate.files import as_utf8, read_named
from vkrunner.errors import ArgumentError, WrongTypeError, warn
from vkrunner.info.faults import Topic
from vkrunner.shader.cache.entries import Translation, digest, text_of, translator_digest
from vkrunner.shader.cache.store import Recent, Store, open_store

if TYPE_CHECKING:
    from translate import CompiledHlsl, HlslOptions, Options, Program, SpirvModule, Statement
    from translate.hlsl.source import HlslSource

_EVERY: tuple[Topic, ...] = ("buffers", "floats")
_TOPICS: Mapping[str, Topic] = {
    **dict.fromkeys(("min", "max", "dmin", "dmax"), "minima"),
    **dict.fromkeys(("f32tof16", "f16tof32"), "halves"),
    "sincos": "sines",
    **dict.fromkeys(("exp", "log"), "powers"),
    "utof": "integers",
}
_BUFFER = 1  # D3D10_SB_RESOURCE_DIMENSION_BUFFER, in bits 11 to 15 of a declaration
_RESOURCES = ("t", "u", "s", "cb")
_INTERFACES = ("fp", "this")  # interfaces of HLSL select constant buffers and resources
Source: TypeAlias = "str | bytes | os.PathLike[str] | Program | SpirvModule | Shader"
_MAGIC = b"DXBC"
_RECENT_BYTES = 64 << 20
_recent: Recent[Translation] = Recent(_RECENT_BYTES)


def topics_of(program: Program) -> frozenset[Topic]:
    """The topics of a program."""
    ranged = program.version >= (5, 1)
    found: set[Topic] = {*_EVERY}
    for statement in program.statements:
        found.update(_topics(statement, ranged=ranged))
    return frozenset(found)


def _topics(statement: Statement, *, ranged: bool) -> Iterator[Topic]:
    name = statement.row.name
    if name == "loop":
        yield "loops"
    elif name == "sync":
        yield "barriers"
    elif name in _TOPICS:
        yield _TOPICS[name]
    elif name in ("dcl_resource", "dcl_uav_typed"):
        if statement.controls >> 11 & 31 != _BUFFER:
            yield "textures"
    elif not statement.row.is_declaration and _selects(statement, ranged=ranged):
        yield "ranges"


def _selects(statement: Statement, *, ranged: bool) -> bool:
    """Whether an operand's register is chosen when the shader runs."""
    for operand in statement.operands:
        if operand.file.prefix in _INTERFACES:
            return True
        if ranged and operand.file.prefix in _RESOURCES and operand.indices[1].relative:
            return True
    return False


class Shader:
    """A kernel's source.

    `source` is a path, the bytes or text of a container, listing or HLSL, a Program, or a finished
    SpirvModule. `file` names bytes or text in errors. HLSL is compiled with the options `hlsl` when
    `data` is first read; `is_compiled_anew` is then True if the cache did not have the result.
    Translations of a Program are not cached, because the caller may change it. `warnings` has the
    reader's warnings about the source, once the program or a translation was asked for.

    Raises OSError for a path that cannot be read, ArgumentError if `hlsl` is given for compiled
    input; errors in the shader are raised when it is read.
    """

    def __init__(
        self,
        source: str | bytes | os.PathLike[str] | Program | SpirvModule,
        file: str | None = None,
        hlsl: HlslOptions | None = None,
    ):
        self.finished: SpirvModule | None = None
        self._data: bytes | None = None
        self.file: str | None = file
        self._program: Program | None = None
        self._topics: frozenset[Topic] | None = None
        self.warnings: list[str] = []
        self._warned = False  # whether warnings about the listing were given
        if isinstance(source, (bytes, bytearray, memoryview)):
            self._data = as_utf8(bytes(source))
        elif isinstance(source, str) and "\n" in source:
            self._data = source.encode("utf-8", "surrogatepass")
        elif isinstance(source, (str, os.PathLike)):
            self._data, self.file = read_named(source), os.fspath(source)
        elif isinstance(source, translate.SpirvModule):
            self.finished = source
        elif not hasattr(source, "statements"):
            kind = type(source).__name__
            raise WrongTypeError(
                f"a shader is a path, text, bytes, a Program or a SpirvModule, not {kind}"
            )
        else:
            self._program = source
            self._warned = True  # by `translate.load`
        self._hlsl = self._source_text(hlsl)
        self._compiled: CompiledHlsl | None = None
        self.is_compiled_anew = False
        self.included: tuple[list[str], str] = ([], "")  # of compiled HLSL: Compilation.included
        self.shows_lines = False  # reports and pages show the lines of HLSL

    def _source_text(self, options: HlslOptions | None) -> tuple[HlslSource, HlslOptions] | None:
        """The source and the compiler's options if the shader is HLSL; None for other sources."""
        data = self._data
        if data is None or data[:4] == _MAGIC:
            _check_unused(options, self.file)
            return None
        from translate.hlsl.source import HlslSource, is_hlsl, is_listing  # containers need none

        if options is None and not is_hlsl(data, self.file):
            return None
        if options is not None and is_listing(data, self.file):
            _check_unused(options, self.file)
            return None
        return HlslSource(data, self.file), options or translate.HlslOptions()

    @property
    def data(self) -> bytes:
        """The bytes of the container or listing; HLSL is compiled to a container on first use.

        Raises CompileError like `translate.compile_hlsl`.
        """
        if self._hlsl is not None and self._compiled is None:
            from translate.hlsl.compiling import Compilation  # needed for HLSL only
            from vkrunner.shader.cache.compiled import compile_cached

            compilation = Compilation(*self._hlsl, with_lines=self.shows_lines)
            self._compiled, self.is_compiled_anew = compile_cached(compilation)
            self._data, self.included = self._compiled.container, compilation.included
        assert self._data is not None, "a Program and a finished module have no bytes here"
        return self._data

    @property
    def program(self) -> Program:
        """The shader's program, read on first use. Raises the errors of `translate.load`."""
        return self.read(strict=False)

    def read(self, *, strict: bool) -> Program:
        """The shader's program, read on first use; `strict` turns warnings into errors."""
        if self._program is None:
            self._program = translate.load(self.data, file=self.file, strict=strict)
            self._warned = True
            if self._compiled is None and self._program.hlsl_files:  # else told when compiled
                from translate.surprises import surprises  # few containers have debug information

                self._program.warnings += map(str, surprises(self._program))
            self.warnings = self._program.warnings
        return self._program

    @property
    def name(self) -> str:
        """The file's name without folder and suffix; "shader" if the source was not a file."""
        return Path(self.title).stem

    @property
    def title(self) -> str:
        """The file's name; "shader" if the source was not a file."""
        return Path(self.file).name if self.file is not None else "shader"

    def module(self, options: Options) -> SpirvModule:
        """The SPIR-V module; its words may be read-only. Raises the errors of `translation`."""
        return self.finished or self.translation(options).module

    def translation(self, options: Options) -> Translation:
        """The translation, from the cache in memory, from the cache on disk, or made now.

        Raises the errors of `translate.load` and `translate.to_spirv`.
        """
        found = self._translation(options)
        self.warnings = found.warnings
        if not self._warned:
            self._warned = True
            for warning in found.listing_warnings(self.file):
                warn(warning)
        return found

    def topics(self, *, strict: bool) -> frozenset[Topic]:
        """The parts of the shader that faults of drivers may concern; none of a finished module.

        `strict` is that of the options. Raises the errors of `translate.load`.
        """
        if self.finished is not None:
            return frozenset()
        if self._topics is None:
            self._topics = self._found_topics(strict=strict)
        return self._topics

    def _found_topics(self, *, strict: bool) -> frozenset[Topic]:
        """The topics from the cache on disk, or of the program."""
        store = open_store() if self._data is not None and self._program is None else None
        translator = translator_digest(store) if store is not None else None
        if store is None or translator is None:
            return topics_of(self.read(strict=strict))
        key = digest(b"topics", translator.encode(), self.data)
        data = store.read(key)
        if data is not None:
            return frozenset(json.loads(data))
        found = topics_of(self.read(strict=strict))
        store.write(key, json.dumps(sorted(found)).encode("ascii"))
        return found

    @property
    def is_hlsl(self) -> bool:
        """Whether the source is HLSL."""
        return self._hlsl is not None

    def declares(self, name: str) -> bool:
        """Whether the shader's HLSL declares a resource of a name, if the HLSL is known."""
        if self.finished is not None:
            return False
        from translate.hlsl.source import declares  # only errors need it

        texts = [self._hlsl[0].text] if self._hlsl is not None else self.program.hlsl_files.values()
        return any(declares(text, name) for text in texts)

    @property
    def compiler(self) -> str | None:
        """The command that compiled the HLSL; None before compilation, and for other sources."""
        return self._compiled.compiler if self._compiled is not None else None

    @property
    def compiler_warnings(self) -> Sequence[str]:
        """The warnings of the HLSL compiler, after compilation."""
        return self._compiled.warnings if self._compiled is not None else ()

    def _translation(self, options: Options) -> Translation:
        store = open_store() if self._data is not None else None
        key = self._key(store, options) if store is not None else None
        if store is None or key is None:
            return self._translated(options)
        found = _recent.get(key) or _read(store, key)
        if found is None:
            found = self._translated(options)
            store.write(key, found.data)
        _recent.put(key, found, len(found.data))
        return found

    def _translated(self, options: Options) -> Translation:
        program = self.read(strict=options.strict)
        return Translation.of(translate.to_spirv(program, options), program)

    def _key(self, store: Store, options: Options) -> str | None:
        """The cache key; None if the translator's source or an option has no digest.

        The file name is part of the key only if the module will contain it, with debug lines.
        """
        translator = translator_digest(store)
        if translator is None:
            return None
        is_named = options.debug_lines or options.debug_info
        file = (self.file or "") if is_named else ""
        try:
            chosen = text_of(options)
        except TypeError:
            return None
        return digest(b"module", translator.encode(), chosen, os.fsencode(file), self.data)


def _check_unused(options: HlslOptions | None, file: str | None) -> None:
    """Raise ArgumentError for options of HLSL, except include folders, with a compiled shader."""
    if options is not None and options != translate.HlslOptions(include=options.include):
        named = f"{file}: " if file is not None else ""
        raise ArgumentError(
            f"{named}entry, defines and other options of HLSL do not apply to a compiled shader"
        )


def shader_of(
    source: Source, file: str | None, given: Mapping[str, Any]
) -> tuple[Shader, dict[str, Any]]:
    """The shader of a source, compiled with the HLSL options in `given`, and the other options.

    Raises the errors of Shader, and TranslateError for invalid HLSL options.
    """
    names = {field.name for field in fields(translate.HlslOptions)}
    if isinstance(source, Shader):
        source.shows_lines = given.get("guards") == "report"
        return source, dict(given)
    chosen = {name: value for name, value in given.items() if name in names}
    rest = {name: value for name, value in given.items() if name not in names}
    hlsl = translate.HlslOptions(**chosen) if chosen else None
    made = Shader(source, file, hlsl)
    made.shows_lines = rest.get("guards") == "report"
    return made, rest


def _read(store: Store, key: str) -> Translation | None:
    data = store.read(key)
    return Translation(data) if data is not None else None


def forget() -> None:
    """Empty the cache in memory, not the one on disk."""
    _recent.clear()
