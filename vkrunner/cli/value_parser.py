"""The values of resources for `sm5vk run`: from text to the arguments of a dispatch.

`SYNTAX` describes the syntax; `sm5vk run --help` prints it.
"""

from __future__ import annotations

import errno
import math
import os
import re
from collections.abc import Iterator, Sequence, Set
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any, cast

import numpy as np

from translate import Constant
from translate.errors import did_you_mean, escaped
from translate.files import similar_file
from translate.interface import (
    COUNTER,
    SAMPLER,
    TEXTURE,
    TYPED_BUFFER,
    Binding,
    format_hint,
)
from vkrunner import (
    DuplicateError,
    FileError,
    FormatError,
    InvalidValueError,
    MissingError,
    ShapeError,
    UnknownNameError,
    WrongTypeError,
)
from vkrunner.binding.constants import constant_bytes
from vkrunner.binding.making import Formatted
from vkrunner.cli.array_files import RAW, READ, load, raw_array, texture_shape
from vkrunner.cli.source import STDIN
from vkrunner.values.formats import FORMATS, Format, channels, format_of_name
from vkrunner.values.numbers import Array, counted, is_same_kind, kinds_of, read_number
from vkrunner.values.pictures import is_picture
from vkrunner.values.samplers import SETTINGS, SamplerState, sampler_state
from vkrunner.values.texture_layout import dimension_of_name

SYNTAX = """\
Write a resource as --REGISTER VALUE, or by its HLSL name as --NAME VALUE. A VALUE is one of
  FILE.npy              an array; - reads it from standard input
  FILE.raw              the bytes of a buffer's elements, or of a constant buffer, also .bin and
                        .buf; of a texture with its width, height and format:
                        x.raw@640x480:r8g8b8a8_unorm
  FILE.png              a picture, also .jpg, .bmp, .tga, .webp, .tif, .dds (uncompressed, of
                        8 bits) and .exr: unorm if the shader reads floats, unless FORMAT says
                        otherwise
  zeros:SHAPE[:DTYPE]   also ones: and arange: (0, 1, 2, ...); SHAPE is 1024 or 64x4,
                        DTYPE as NumPy writes it (f4, u4, i2, ...). Without DTYPE, SHAPE
                        counts elements of the shader's type; a structure is an array of
                        dwords if the shader has no names for its variables. A texture has
                        NumPy's order, rows first: 480x640x4; 480x640 has one channel
  zeros@SIZE:FORMAT     also ones and arange: a texture in the order of files, width first:
                        zeros@640x480:r8g8b8a8_unorm
  VALUE:FORMAT          the same in a DXGI format, for typed buffers and textures:
                        image.npy:r8g8b8a8_unorm, zeros:64x64:r32_float
  linear,clamp          a sampler: point or linear; wrap, mirror, clamp, border or
                        mirror_once; less, ... for a comparison sampler; border=0:0:0:1,
                        min_lod=, max_lod=, lod_bias=
  null                  no resource: loads give 0, stores are dropped
  VALUE;VALUE           for an array of resources
  a=2,v=1:0:0:1,s.b=3   a constant buffer, with all variables in use; : separates the numbers
                        of vectors, matrices (row by row) and arrays, also of structures;
                        a dot precedes the members of a structure; a bool is true or false
  1:2.0:0.5             a constant buffer without names, or with one variable; without names,
                        floats have a point (2.0), and integers beside them an i (2i)
  zeros                 a constant buffer of zeros
  7                     for --u0.counter: the initial value of a hidden counter (default: 0)
"""

_GENERATED = re.compile(r"(zeros|ones|arange)[:@]([^:]*)(?::(.+))?")
_COMPONENTS = {"float": "f4", "uint": "u4", "sint": "i4"}
_DWORD_BYTES = 4
_VECTOR = 4  # dwords
_SHOWN = 4  # numbers of a variable in an error
NULL = "null"
_ZEROS = "zeros"
_BITS = re.compile(r"(-?\d{1,20})i")  # an integer, whatever the shader reads
_NUMBER = re.compile(r"[-+.\d]")
_NUMBERS = re.compile(r"[-+.,;:\d]+")
_SEPARATOR = re.compile(r"[,;:]")
_LIST = re.compile(r"-?[.\d]+(?:, -?[.\d]+)*")
_FUNCTION = re.compile(r"\w+:[\dx]+(:\w+)?")  # such as `rand:8`
_PLAIN = re.compile(r"-?0*[1-9]\d*")  # may be meant as a float; 0 has the same bits as 0.0


def parse_value(
    binding: Binding, text: str, *, several: bool = False, floats: Set[int] = frozenset()
) -> Any:
    """The value for a binding. With `several`, the list of values for an array of resources.

    `floats` are the dwords of a constant buffer without names that the shader reads as floats.
    Raises ArgumentError, and OSError for a file that cannot be read.
    """
    if not several:
        return _parse_one(binding, text, floats)
    return [_parse_one(binding, part, floats) for part in text.split(";")]


def _parse_one(binding: Binding, text: str, floats: Set[int]) -> Any:
    label = binding.label
    if text == NULL:
        return None
    if binding.kind == COUNTER:
        return read_number(text, label)
    if binding.kind == SAMPLER:
        return parse_sampler(text, label)
    before, _, last = text.rpartition(":")
    if binding.kind in (TEXTURE, TYPED_BUFFER) and last in FORMATS:
        return Formatted(_array(binding, before, label, FORMATS[last]), last)
    if binding.kind in (TEXTURE, TYPED_BUFFER) and is_picture(text):
        return _picture(binding, load(text))
    if not binding.has_variables:
        array = _array(binding, text, label)
        _check_components(binding, array, label)
        return array
    if text == _ZEROS:
        return bytes(_size_of(binding))
    if _are_constants(text):
        _check_no_file(text, label)
        return _constants(binding, text, label, floats)
    array = _array(binding, text, label)
    _check_constants(binding, array, text, label)
    is_bytes = _is_raw(text) or text.startswith(_ZEROS)  # of any variables
    return array.tobytes() if is_bytes else array


def _check_constants(binding: Binding, array: Array, text: str, label: str) -> None:
    """Raise ArgumentError for an array that is no value of a constant buffer with names."""
    if binding.constants is None or text.startswith(_ZEROS) or _is_raw(text):
        return
    try:
        constant_bytes(binding, array, label)
    except WrongTypeError:
        raise WrongTypeError(
            f"{label} has names: write {_by_names(binding.constants)}, not an array of"
            f" {array.dtype}{list(array.shape)}"
        ) from None


def _check_components(binding: Binding, array: Array, label: str) -> None:
    """Raise FormatError for a picture's texels without alpha: no format has three components."""
    is_small = array.dtype.kind in "ui" and array.dtype.itemsize < _DWORD_BYTES
    if binding.kind in (TEXTURE, TYPED_BUFFER) and is_small and array.shape[2:] == (3,):
        raise FormatError(
            f"{label}: no format has three components of {array.dtype}: write a fourth, alpha, into"
            " the file, or give the picture as .png"
        )


def _size_of(binding: Binding) -> int:
    """The bytes of the variables of a constant buffer or tbuffer."""
    if binding.dtype is not None:
        return binding.dtype.itemsize
    return binding.declared_bytes or binding.size_bytes or _VECTOR * _DWORD_BYTES


def _are_constants(text: str) -> bool:
    is_file = text == STDIN or text.endswith(".npy") or _is_raw(text)
    return not is_file and _GENERATED.fullmatch(text) is None


def _is_raw(text: str) -> bool:
    """Whether it is a file whose name says that it has bytes alone."""
    return Path(text.partition("@")[0]).suffix.lower() in RAW


def _check_no_file(text: str, label: str) -> None:
    """Raise ArgumentError for the name of a file from which constants are not read."""
    if not _NUMBER.match(text) and os.path.isfile(text):
        raise FileError(f"{label}: {text}: constants are read from .npy, .raw, .bin and .buf")


def _array(binding: Binding, text: str, label: str, format: Format | None = None) -> Any:
    generated = _GENERATED.fullmatch(text)
    if generated is not None:
        return _generate(binding, generated, label, format)
    if _is_raw(text):
        return raw_array(binding, text, label, _own_dtype(binding), format)
    if text != STDIN and not Path(text).exists():
        _check_meant(binding, text, label)
    return load(text, format)


def _picture(binding: Binding, texels: Array) -> Any:
    """A picture's texels, as unorm if they have 8 or 16 bits and the shader reads floats."""
    if binding.component != "float" or texels.dtype.kind != "u" or texels.dtype.itemsize > 2:
        return texels
    components = texels.shape[2] if texels.ndim == 3 else 1
    return Formatted(texels, f"{channels(texels.dtype, components)}_unorm")


def _check_meant(binding: Binding, path: str, label: str) -> None:
    """Raise ArgumentError if a missing file is probably a misspelt value, else OSError."""
    if path in _GENERATORS:
        raise MissingError(f"{path} needs a shape: {path}:1024")
    how, colon, rest = path.partition(":")
    if colon and how in _GENERATORS:
        raise FileError(f"{path}: no such file, and no {how}:SHAPE[:DTYPE], such as {how}:8:f4")
    if colon and (hint := did_you_mean(how, _GENERATORS, lambda name: f"{name}:{rest}")):
        raise FileError(f"{path}: no such file{hint}")
    before, _, last = path.rpartition(":")
    if Path(before).is_file():
        _check_format(binding, last, label)
        format_of_name(last)
    if _NUMBERS.fullmatch(path) or _FUNCTION.fullmatch(path):
        there = "a file, zeros:8, ones:8 or arange:8 (sm5vk run --help)"
        raise FileError(f"{path}: no such file; values are {there}{_saved(binding, path)}")
    text = f"{os.strerror(errno.ENOENT)}{similar_file(path, READ)}"
    raise FileNotFoundError(errno.ENOENT, text, path)


def _saved(binding: Binding, text: str) -> str:
    """How to write numbers to a file that is a value, if the text is numbers."""
    numbers = _SEPARATOR.sub(", ", text)
    if not _LIST.fullmatch(numbers):
        return ""
    is_float = "." in text or _own_dtype(binding).base.kind == "f"
    kind = "float32" if is_float else "int32" if "-" in text else "uint32"
    array = f"numpy.array([{numbers}], '{kind}')"
    return f"; numpy.save('numbers.npy', {array}) writes a file of these numbers"


def _check_format(binding: Binding, name: str, label: str) -> None:
    """Raise WrongTypeError if a resource without formats is given one."""
    if name in FORMATS and binding.kind not in (TEXTURE, TYPED_BUFFER):
        remedy = f"write a type of numbers (f4, u4, i2, ...) in place of {name}, or none"
        raise _other_kind(binding, label, f"a texture or typed buffer: {remedy}")


def _other_kind(binding: Binding, label: str, wanted: str) -> WrongTypeError:
    return WrongTypeError(f"{label} is a {binding.kind.replace('_', ' ')}, not {wanted}")


def _generate(binding: Binding, match: re.Match[str], label: str, format: Format | None) -> Array:
    """Generate an array. With a format but no dtype, a last axis has the texel's components."""
    how, sizes, kind = match.groups()
    if match[0].startswith(f"{how}@"):
        if binding.kind != TEXTURE:
            raise _other_kind(binding, label, f"a texture: write {how}:N")
        after = match[0].removeprefix(f"{how}@")
        sides, format = texture_shape(binding, after, label, how, format)
        return _GENERATORS[how](tuple(sides), format.dtype)
    if not re.fullmatch(r"\d{1,40}(x\d{1,40})*", sizes):
        raise ShapeError(f"{label}: a shape is 1024 or 64x4, not {sizes!r}")
    shape = tuple(int(size) for size in sizes.split("x"))
    dtype = _dtype(binding, kind, label) if kind else _own_dtype(binding)
    if kind and not binding.has_variables and dtype != np.bool_:
        _check_kind(binding, dtype, f"{how}:{sizes}", label)
    if format is not None and not kind:
        _check_sides(binding, sizes, label)
        dtype = format.dtype
        shape += (format.components,) * (format.components > 1)
    if how != "zeros" and dtype.names is not None:
        count = math.prod(shape) * dtype.itemsize // _DWORD_BYTES
        raise InvalidValueError(
            f"{label}: {how}: cannot fill structures; write {how}:{count}:f4, or take"
            " zeros:N or a file"
        )
    try:
        return _GENERATORS[how](shape, dtype)
    except ValueError as error:  # the size exceeds NumPy's limit
        raise ShapeError(f"{label}: {sizes}: {error}") from None


def _check_kind(binding: Binding, dtype: np.dtype[Any], before: str, label: str) -> None:
    """Raise WrongTypeError for numbers of another kind than all those of the shader's type."""
    kinds = kinds_of(binding)
    if len(kinds) == 1 and not is_same_kind(dtype, *kinds):
        own = kinds.pop()
        raise WrongTypeError(f"{label} takes {own}, not {dtype}: write {before}:{own.str[1:]}")


def _check_sides(binding: Binding, sizes: str, label: str) -> None:
    """Raise ArgumentError if a shape names components, which the texel's format has."""
    dimension = binding.dimension
    axes = 1 if dimension is None else len(dimension_of_name(dimension).axis_names)
    sides = sizes.split("x")
    if len(sides) == axes + 1:
        raise ShapeError(
            f"{label}: the format has its own components: write {'x'.join(sides[:-1])}, not {sizes}"
        )


def _arange(shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
    shape += dtype.shape
    return np.arange(math.prod(shape)).astype(dtype.base).reshape(shape)


_GENERATORS = {"zeros": np.zeros, "ones": np.ones, "arange": _arange}


def _dtype(binding: Binding, text: str, label: str) -> np.dtype[Any]:
    with suppress(TypeError, ValueError, SyntaxError):
        found = np.dtype(text)
        if found.kind in "biuf":
            return found
    _check_format(binding, text, label)
    hint = format_hint(text) if binding.kind in (TEXTURE, TYPED_BUFFER) else ""
    raise UnknownNameError(f"{label}: {text!r} is not a type of numbers (f4, u4, i2, ...){hint}")


def _own_dtype(binding: Binding) -> np.dtype[Any]:
    """The shader's own type of an element: from RDEF, else dwords, or what a load returns."""
    if binding.dtype is not None:
        return binding.dtype
    if binding.stride is not None and binding.stride > _DWORD_BYTES:
        return np.dtype(("u4", (binding.stride // _DWORD_BYTES,)))
    return np.dtype(_COMPONENTS.get(binding.component or "", "u4"))


def _constants(binding: Binding, text: str, label: str, floats: Set[int]) -> Any:
    if "=" in text:
        return _named(binding, text, label)
    if binding.constants is None:
        return _nameless(text.split(":"), label, floats)
    if len(binding.constants) == 1:
        return _named(binding, f"{binding.constants[0].name}={text}", label)
    raise WrongTypeError(f"{label} has names: write {_by_names(binding.constants)}, not {text!r}")


def _by_names(constants: Sequence[Constant]) -> str:
    """How to write all variables of a constant buffer, for an error."""
    return ",".join(f"{escaped(constant.name)}=..." for constant in constants)


def _nameless(parts: Sequence[str], label: str, floats: Set[int]) -> Any:
    """A constant buffer without names: the text of each number decides whether it is a float.

    Raises ArgumentError for an integer that may be meant as a float.
    """
    numbers = [read_number(_without_suffix(part), label) for part in parts]
    has_floats = any(isinstance(number, float) for number in numbers)
    for index, part in enumerate(parts):
        reads_float = index in floats
        if _PLAIN.fullmatch(part) and (has_floats or reads_float):
            found = "where the shader reads floats" if reads_float else "beside floats"
            raise WrongTypeError(
                f"{label}: {part} is an integer {found}: write {part}.0 for a float,"
                f" or {part}i to pass an integer"
            )
    return numbers[0] if len(numbers) == 1 else _packed(numbers)


def _without_suffix(number: str) -> str:
    bits = _BITS.fullmatch(number)
    return bits[1] if bits else number


def _packed(numbers: Sequence[float]) -> bytes:
    return b"".join(np.array(n, "f4" if isinstance(n, float) else "i4").tobytes() for n in numbers)


def _named(binding: Binding, text: str, label: str) -> dict[str, Any]:
    """`a=2,s.b=3` as nested dicts."""
    made: dict[str, Any] = {}
    for part in text.split(","):
        path, equals, value = part.strip().partition("=")
        if not path or not equals:
            raise InvalidValueError(f"{label}: {part!r} is not NAME=VALUE")
        constant = _variable(binding.constants or (), path.split("."), label)
        if not _put(made, path.split("."), _numbers(value, constant, f"{label}: {path}")):
            raise DuplicateError(f"{label}: {path} is given twice")
    return made


def _put(made: dict[str, Any], path: list[str], value: Any) -> bool:
    """Put a value into nested dicts. Returns False if the path has a value already."""
    name, *inner = path
    if not inner:
        return made.setdefault(name, value) is value
    below = made.setdefault(name, {})
    return isinstance(below, dict) and _put(cast("dict[str, Any]", below), inner, value)


def _variable(
    constants: Sequence[Constant], path: list[str], label: str, above: str = ""
) -> Constant | None:
    """A variable or member; None if it does not exist, which the packing reports later.

    Raises ArgumentError for an element of an array, or a component of a vector.
    """
    name = path[0].partition("[")[0]
    found = next((constant for constant in constants if constant.name == name), None)
    if found is None or path == [name]:
        return found
    if path[0] != name or found.elements or not found.members:
        numbers = counted(count := count_numbers(found), "number")
        form = ":".join(["0"] * min(count, _SHOWN)) + ":..." * (count > _SHOWN)
        whole = escaped(f"{above}{name}")
        raise ShapeError(f"{label}: {whole} takes {numbers} in order: write {whole}={form}")
    return _variable(found.members, path[1:], label, f"{above}{name}.")


def _numbers(text: str, constant: Constant | None, label: str) -> Any:
    parts = text.split(":")
    if constant is None:
        return [read_number(part, label) for part in parts]
    count = count_numbers(constant)
    if len(parts) != count:
        raise ShapeError(f"{label} takes {counted(count, 'number')}, not {len(parts)}")
    return _spread(iter(parts), constant, label, constant.elements)


def count_numbers(constant: Constant) -> int:
    """The count of numbers in a variable of a constant buffer."""
    members = constant.members
    one = sum(map(count_numbers, members)) if members else math.prod(constant.shape)
    return one * max(1, constant.elements)


def _spread(parts: Iterator[str], constant: Constant, label: str, elements: int = 0) -> Any:
    """Numbers from a flat iterator, in the nesting of a variable; matrices row by row."""
    if elements:
        return [_spread(parts, constant, label) for _ in range(elements)]
    if constant.members:
        return [_spread(parts, member, label, member.elements) for member in constant.members]
    own = [_of_type(part, constant, label) for part in islice(parts, math.prod(constant.shape))]
    return np.array(own, object).reshape(constant.shape).tolist()


def _of_type(text: str, constant: Constant, label: str) -> float:
    """A number of a variable. Raises ArgumentError for hexadecimal bits of a float."""
    number = read_number(text, label)
    is_hexadecimal = "x" in text.lower() and isinstance(number, int)
    if is_hexadecimal and ("float" in constant.type or constant.type == "double"):
        raise WrongTypeError(
            f"{label} is a float, {text} the number {number} or bits: write it without 0x"
        )
    return number


def parse_sampler(text: str, label: str) -> SamplerState:
    """A sampler from words in any order: `linear,clamp` or `point,border,less,border=0:0:0:1`.

    A filter or address may have three values, separated by `:`. Raises ArgumentError for an unknown
    word.
    """
    given: dict[str, Any] = {}
    for word in text.split(","):
        name, found = _setting(word, label)
        if name in given:
            raise DuplicateError(f"{label}: {name} is given twice")
        given[name] = found if len(found) > 1 else found[0]
    return sampler_state(**given)


def _setting(word: str, label: str) -> tuple[str, list[Any]]:
    given, equals, value = word.partition("=")
    for name, (allowed, most) in SETTINGS.items():
        if allowed is None and equals and given == name:
            return name, [read_number(part, label) for part in value.split(":")]
        parts = word.split(":") if most > 1 else [word]
        if allowed is not None and all(part in allowed for part in parts):
            return name, parts
    rows = SETTINGS.items()
    names = [word for _, (allowed, _) in rows for word in allowed or ()]
    there = ", ".join([*names, *(f"{name}=" for name, (allowed, _) in rows if allowed is None)])
    raise UnknownNameError(f"{label}: {word!r} is no word of a sampler; there are {there}")
