"""The rule for every input: a TranslateError, or a result that survives a round trip.

Each check takes the bytes of one input. Every exception but a TranslateError is a finding, and so
is a VerifyError, which is a fault of the translator.
"""

from __future__ import annotations

import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import translate
from translate.dxbc import decode_container
from translate.dxbc.container import build_container
from translate.dxbc.contents import encode_container, encode_program
from translate.dxbc.decode import decode_program
from translate.dxbc.ifce import build_ifce, parse_ifce
from translate.dxbc.pdb import parse_source_lines
from translate.dxbc.rdef import build_rdef, parse_rdef
from translate.errors import NOWHERE
from translate.interface.binding import dtype_of
from translate.isa.declarations import DCL_INTERFACE
from translate.linkage import Linkage
from translate.program import Chunk, Program, Statement
from translate.reflection import Reflection, dtype_of_buffer
from vkrunner.shadertest.cursor import ShaderTestError
from vkrunner.shadertest.file_reader import read_text

_VERSIONS = ((4, 0), (4, 1), (5, 0), (5, 1))
_NOWHERE = Path("/no/such/folder")
_LONGEST_MESSAGE = 5000
_TRANSLATED = 3  # one input in so many is translated, because that takes most of the time
_EXACT = frozenset({"denorm_flush_to_zero_32", "rounding_mode_rte_32"})
_OPTIONS = (
    {},
    {},
    {"guards": "report", "debug_lines": True},
    {"guards": "robustness2", "target": "vulkan1.3", "denormals": "device", "debug_info": True},
    {"guards": "off", "optimize": False},
    {"target": "vulkan1.2", "float_controls": _EXACT, "debug_lines": True, "debug_info": True},
)


def check_container(data: bytes) -> None:
    """A container, all of its chunks, and the program in it."""
    check_source(data)


def check_program(data: bytes) -> None:
    """The payload of a program chunk."""
    container = build_container([Chunk(b"SHEX", data)])
    try:
        decoded = decode_container(container)
    except translate.TranslateError as error:
        _check_message(error)
        _check_place(error, container)
        return
    assert encode_container(decoded) == container, "the container changed as it was read"
    program = Program(decoded.version, decoded.statements)
    _check_encoding(program)
    check_translation(program, data)


def check_reflection(data: bytes) -> None:
    """The payload of RDEF: its types, and that writing gives what was read."""
    try:
        reflection = parse_rdef(data)
    except translate.TranslateError as error:
        _check_message(error)
        return
    _check_reflection(reflection, _VERSIONS[zlib.crc32(data) % 4])


def _check_reflection(reflection: Reflection, version: tuple[int, int]) -> None:
    for buffer in reflection.buffers:
        data = dtype_of_buffer(buffer)
        size = buffer.variables[0].size if buffer.kind == 3 and buffer.variables else buffer.size
        assert data is None or dtype_of(data).itemsize == size, "a dtype of another size"
    try:
        # What a layout cannot hold, such as type names in Shader Model 4, is lost the first time.
        built = build_rdef(parse_rdef(build_rdef(reflection, version)), version)
    except translate.TranslateError as error:
        _check_message(error)
        return
    again = build_rdef(parse_rdef(built), version)
    assert again == built, "the reflection changed as it was written and read"


def check_linkage(data: bytes) -> None:
    """The payload of IFCE."""
    try:
        linkage = parse_ifce(data)
        built = build_ifce(linkage)
    except translate.TranslateError as error:
        _check_message(error)
        return
    assert build_ifce(parse_ifce(built)) == built, "the linkage changed as it was written and read"


def check_debug(data: bytes) -> None:
    """The payload of SPDB; a ValueError is allowed, and becomes a warning."""
    try:
        lines = parse_source_lines(data)
    except ValueError:
        return
    for offset in (0, *lines.offsets[:100]):
        file, line = lines.at(offset)
        assert file is None or isinstance(file, str)
        assert line is None or 0 <= line < 1 << 32, f"line {line}"
    assert sum(map(len, lines.texts.values())) <= 64 * len(data), "texts larger than the file"


def check_shader_test(data: bytes) -> None:
    """A file of declarative tests; the shaders and images that it names do not exist."""
    try:
        read_text(data.decode("utf-8", "replace"), _NOWHERE / "one.shader_test", "one.shader_test")
    except ShaderTestError as error:
        _check_words(error)


def check_listing(data: bytes) -> None:
    """A listing with its header comment."""
    check_source(data)


def check_source(data: bytes) -> None:
    """An input of `translate.load`, and all uses of the program that it returns."""
    try:
        program = translate.load(data)
    except translate.TranslateError as error:
        _check_message(error)
        _check_place(error, data)
        return
    _check_encoding(program)
    if program.source_lines is not None:
        _check_text(program)
    if zlib.crc32(data) % _TRANSLATED == 0:
        check_translation(program, data)


def _check_encoding(program: Program) -> None:
    """Encoding keeps the program, and encoding it again gives the same container."""
    try:
        encoded = encode_container(program)
    except translate.TranslateError as error:
        _check_message(error)
        return
    decoded = decode_container(encoded)
    assert _facts(decoded) == _facts(program), "the program changed in a container"
    assert encode_container(decoded) == encoded, "the container changed as it was read"
    if program.reflection is not None:
        _check_reflection(program.reflection, program.version)
    if program.linkage != Linkage():
        build_ifce(program.linkage)


def _check_text(program: Program) -> None:
    """A printed listing can be read, and printing it again changes nothing.

    In fxc's form, numbers lose the first time what six digits do not show.
    """
    text = translate.disassemble(translate.load(translate.disassemble(program)))
    again = translate.disassemble(translate.load(text))
    assert again == text, "the listing changed as it was printed and read"
    exact = translate.disassemble(program, exact=True)
    again = translate.disassemble(translate.load(exact), exact=True)
    assert again == exact, "the exact listing changed as it was printed and read"


def check_translation(program: Program, data: bytes) -> None:
    """The program's text, its encoding, and its SPIR-V under options that the input decides."""
    translate.disassemble(program)
    payload = encode_program(program.version, program.statements)
    decoded = decode_program(payload, 0, None)
    assert encode_program(decoded.version, decoded.statements) == payload
    options = dict[str, Any](_OPTIONS[zlib.crc32(data) % len(_OPTIONS)])
    try:
        module = translate.to_spirv(
            program, translate.Options(**options, class_instances=_instances(program))
        )
    except translate.VerifyError:
        raise
    except translate.TranslateError as error:
        _check_message(error)
        return
    module.interface.to_json()


def _instances(program: Program) -> dict[str, Any]:
    """The first class instance for every interface."""
    if not program.linkage.instances:
        return {}
    name = program.linkage.instances[0].name
    declared = (s for s in program.statements if s.row is DCL_INTERFACE and len(s.extra) > 2)
    return {f"fp{s.extra[0]}": [name] * min(s.extra[2], 64) for s in declared}


def _facts(program: Program) -> list[Any]:
    """Everything that a container keeps of a program."""
    return [program.version, *map(facts, program.statements)]


def _check_message(error: translate.TranslateError) -> None:
    """The error is short and names a place that exists in the input."""
    if isinstance(error, translate.VerifyError):
        raise error
    _check_words(error)


def _check_place(error: translate.TranslateError, data: bytes) -> None:
    """The error names a byte of the input, or a line and columns in it."""
    where = error.where
    if where.offset is not None:
        assert 0 <= where.offset <= len(data), f"byte {where.offset} of {len(data)}"
        return
    if where.line is None:
        assert error.message.startswith("neither a DXBC container"), "an error without a place"
        return
    lines = len(data.decode("utf-8", "replace").splitlines())
    assert 1 <= where.line <= lines + 1, f"line {where.line} of {lines}"
    assert where.column is not None, "an error without a column"
    assert where.length >= 1, "an error that marks nothing"
    if error.source_line is not None:
        assert where.column <= len(error.source_line) + 1, f"column {where.column}"


def _check_words(error: translate.TranslateError | ShaderTestError) -> None:
    assert error.message, "an error without a message"
    room = _LONGEST_MESSAGE + 3 * len(error.source_line or "")
    assert len(str(error)) <= room, f"a message of {len(str(error))} characters"


def facts(statement: Statement) -> Statement:
    """The statement without its place."""
    return replace(statement, where=NOWHERE)
