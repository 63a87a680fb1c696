"""`sm5vk diff`: runs two shaders, or one shader twice, on the same inputs, and compares results.

Exits with 0 if all results are equal, and with 1 if numbers differ. NaN equals NaN, and 0 equals
-0, unless --bits is given.
"""

from __future__ import annotations

import argparse
import copy
import math
import shlex
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np

from translate import ShaderInterface
from translate.interface import dtype_text
from vkrunner import (
    ArgumentError,
    FileError,
    MissingError,
    ReferenceResult,
    Result,
    ShapeError,
    UnknownNameError,
    WrongTypeError,
)
from vkrunner.binding.making import Formatted
from vkrunner.binding.registers import Key, elements_of, has_resource, look_up, register_of
from vkrunner.cli.dispatching import (
    NAMES,
    add_device_option,
    add_dispatch_options,
    add_group_options,
    dispatch,
    group_counts,
    open_job,
    read_values,
)
from vkrunner.cli.output import (
    STDOUT,
    picture_text,
    plain,
    shows_pictures,
    write_all,
    write_json,
    write_lines,
    write_text,
)
from vkrunner.cli.parser import UsageError, VerbParser
from vkrunner.cli.results import arrays_of, print_races
from vkrunner.cli.source import STDIN
from vkrunner.cli.translation_flags import translation_options
from vkrunner.values.comparison import (
    Compared,
    Differences,
    Extent,
    Far,
    Tolerance,
    compare,
    extent,
    find_differences,
    place_in,
)
from vkrunner.values.numbers import Array
from vkrunner.values.pictures import png_of
from vkrunner.values.texture_layout import dimension_of_name

_USAGE = (
    "sm5vk diff A [B] --groups|--threads X[,Y[,Z]] [--REGISTER VALUE]... [options]"
    " [--against OPTION...]; see sm5vk diff --help"
)
_PNG = ".png"
_HEADING = ("at", "A", "B", "")
_FAINTEST = 64  # of 255: the least difference in a picture
_PICTURE = ("height", "width")


class Side(NamedTuple):
    """One of the two runs: `name` is A or B; `text` says what ran."""

    name: str
    source: str
    device: str
    options: str
    interface: ShaderInterface
    values: dict[Key, Any]
    result: Result

    @property
    def text(self) -> str:
        return " ".join(
            [self.name, self.source, f"on {self.device}", *filter(None, [self.options])]
        )

    def label(self, register: str) -> str:
        """What a result is called: its register, and its name if it has one."""
        base = _base(register)
        return self.interface[base].label + register.removeprefix(base)


class Pair(NamedTuple):
    """A result of both runs: its register and label in A, and the comparison of its numbers."""

    register: str
    label: str
    a: Array
    b: Array
    compared: list[Compared]
    found: Differences
    extent: Extent


def configure(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("source", metavar="A", help="a DXBC container, a listing or HLSL")
    add("other", metavar="B", nargs="?", help="the second shader (default: A again)")
    add_group_options(parser)
    add_device_option(parser)
    add(
        "--against",
        metavar="OPTION",
        nargs=argparse.REMAINDER,
        help="the last option: the words after it are options of the second run alone, for"
        " instance --against --device reference, or --against --guards off",
    )
    add("--rtol", metavar="R", type=float, default=0.0, help="allow R * |A's number| (only floats)")
    add("--atol", metavar="T", type=float, default=0.0, help="allow T, beside that of --rtol")
    add(
        "--ulp", metavar="N", type=int, default=0, help="allow N representable floats (only floats)"
    )
    add("--bits", action="store_true", help="compare all bits, also those of NaNs and zeros")
    add(
        "-o",
        dest="picture",
        metavar="[REG=]FILE",
        help="write a picture, .png, of where a two-dimensional texture differs, and how much",
    )
    add("--json", action="store_true", help="print the comparison as JSON")
    add_dispatch_options(parser)
    parser.usage = _USAGE
    note = "Resources are given as for sm5vk run, whose --help has the VALUEs; both runs get them."
    parser.description = f"{parser.description}\n\n{note}\n{NAMES}"


def run(arguments: argparse.Namespace) -> int:
    second = _second(arguments)
    tolerance = _tolerance(arguments)
    _check_picture(arguments)
    runs = [
        ("A", arguments, arguments.source, group_counts(arguments)),
        ("B", second, arguments.other or arguments.source, group_counts(second)),
    ]
    options = [translation_options(one) for _, one, _, _ in runs]
    a, b = (_side(*one, given) for one, given in zip(runs, options, strict=True))
    _check_inputs(a, b)
    paired = _paired(a, b, arguments.resources)
    alone = [
        *((a, one) for one in _arrays(a.result) if one not in paired),
        *((b, one) for one in _arrays(b.result) if one not in paired.values()),
    ]
    if alone and not (paired and (arguments.ignore_unused or second.ignore_unused)):
        side, register = alone[0]
        hint = "; --ignore-unused compares the others" if paired else ""
        raise MissingError(f"{side.label(register)} is a result of {side.name} alone{hint}")
    pairs = [_pair(*names, a, b, tolerance) for names in paired.items()]
    if arguments.picture is not None:
        _write_picture(arguments.picture, a.interface, pairs)
    if arguments.json:
        write_json(_data(a, b, tolerance, pairs, alone))
    else:
        left_out = [
            f"{side.label(register)}: not compared, a result of {side.name} alone"
            for side, register in alone
        ]
        write_lines([a.text, b.text, *chain.from_iterable(map(_lines, pairs)), *left_out])
        if shows_pictures():
            for pair in pairs:
                _show_picture(a.interface, pair)
    return 1 if any(pair.found.count for pair in pairs) else 0


# -- the two runs ----------------------------------------------------------------------------------


def _second(arguments: argparse.Namespace) -> argparse.Namespace:
    """The arguments of the second run: the given ones with those after --against.

    Raises UsageError for words that are no options of a run, and without a second run.
    """
    if arguments.other is None and not arguments.against:
        raise UsageError("diff takes two shaders, or --against with options of the second run")
    given = [arguments.source, arguments.other, *arguments.resources.values()]
    if any(STDIN in (text or "").replace(";", ":").split(":") for text in given):
        raise UsageError("diff reads its inputs twice: name a file instead of -")
    parser = VerbParser(
        prog="sm5vk diff --against", usage=_USAGE, add_help=False, allow_abbrev=False
    )
    add_group_options(parser)
    add_device_option(parser)
    add_dispatch_options(parser)
    second, rest = parser.parse_known_args(arguments.against or (), copy.copy(arguments))
    if rest:
        raise UsageError(
            f"--against takes options of a run, not {rest[0]!r}: write resources, which both runs"
            " get, and other options before it"
        )
    return second


def _tolerance(arguments: argparse.Namespace) -> Tolerance:
    """The allowed differences. Raises UsageError for negative ones and NaN."""
    given: dict[str, float] = {name: getattr(arguments, name) for name in ("rtol", "atol", "ulp")}
    for name, value in given.items():
        if not 0 <= value < math.inf:
            raise UsageError(f"--{name} takes a number from 0 on, not {value}")
        if value and arguments.bits:
            raise UsageError(f"--bits requires equal bits: leave out --{name}")
    return Tolerance(arguments.atol, arguments.rtol, arguments.ulp, arguments.bits)


def _side(
    name: str,
    arguments: argparse.Namespace,
    source: str,
    counts: tuple[int, ...],
    options: dict[str, Any],
) -> Side:
    """Run a shader. Errors about its arguments begin with its name."""
    lacks = False
    try:
        with open_job(arguments, source, counts, options) as job:
            interface = job.kernel.interface
            has_all = all(has_resource(interface, key) for key in arguments.resources)
            lacks = not (has_all or arguments.ignore_unused)
            values = read_values(arguments, job, source)
            result = dispatch(arguments, job, values)
            if isinstance(result, ReferenceResult):
                print_races(result)
            words = shlex.join(arguments.against or ()) if name == "B" else ""
            return Side(name, source, job.device.name, words, interface, values, result)
    except ArgumentError as error:
        is_of_it = lacks and isinstance(error, UnknownNameError)
        hint = "; with --ignore-unused each run gets those that its shader has" if is_of_it else ""
        raise type(error)(f"{name}, {source}: {error}{hint}") from None


def _check_inputs(a: Side, b: Side) -> None:
    """Raise ArgumentError if a word meant arrays of other types to each shader."""
    for key, mine in a.values.items():
        for one, other in zip(_parts(mine), _parts(b.values.get(key)), strict=False):
            if one is not None and other is not None:
                _check_alike(f"{key}", one, other)


def _parts(value: Any) -> list[Array | None]:
    """The arrays of a resource, or of an array of resources; None for other values."""
    values = cast("list[Any]", value) if isinstance(value, list) else [value]
    values = [one.array if isinstance(one, Formatted) else one for one in values]
    return [cast("Array", one) if isinstance(one, np.ndarray) else None for one in values]


def _check_alike(label: str, mine: Array, other: Array) -> None:
    texts = [f"{dtype_text(array.dtype)}{list(array.shape)}" for array in (mine, other)]
    if mine.dtype != other.dtype:
        raise WrongTypeError(
            f"{label} is {texts[0]} in A and {texts[1]} in B: name its DTYPE, as in zeros:1024:f4"
        )
    if mine.shape != other.shape:
        raise ShapeError(f"{label} is {texts[0]} in A and {texts[1]} in B")


# -- results ---------------------------------------------------------------------------------------


def _arrays(result: Result) -> dict[str, Array]:
    """The results by register, elements of a range as `u1[0]`, and hidden counters."""
    counters = {
        f"{register}.counter": np.array(count, np.uint32)
        for register, count in result.counters.items()
    }
    return {**dict(arrays_of(result)), **counters}


def _paired(a: Side, b: Side, resources: dict[str, str]) -> dict[str, str]:
    """The register in B by that in A, for results that one word of the command line bound."""
    partners: dict[str, str] = {}
    for key in resources:
        of_a, of_b = _registers(a.interface, key), _registers(b.interface, key)
        partners.update({of_a[index]: of_b[index] for index in of_a.keys() & of_b.keys()})
    others = _arrays(b.result)
    bases = {register: _base(register) for register in _arrays(a.result)}
    made = {
        register: partners[base] + register.removeprefix(base)
        for register, base in bases.items()
        if base in partners
    }
    return {register: partner for register, partner in made.items() if partner in others}


def _registers(interface: ShaderInterface, key: str) -> dict[int, str]:
    """The registers that a key names, by the index in an array of resources."""
    found = look_up(interface, key)
    return elements_of(interface, key) if found is None else {0: found[0].register}


def _base(register: str) -> str:
    """`u0` of `u0[2]` and `u0.counter`."""
    return register.partition("[")[0].partition(".")[0]


def _pair(register: str, partner: str, a: Side, b: Side, tolerance: Tolerance) -> Pair:
    """The comparison of a result. Raises ArgumentError if the arrays cannot be compared."""
    label = a.label(register)
    mine, other = _arrays(a.result)[register], _arrays(b.result)[partner]
    _check_alike(label, mine, other)
    compared = compare(other, mine, tolerance)
    total = sum(len(one.different) for one in compared)
    found = find_differences(compared, total, place_in(mine, register))
    far = extent((one.actual, one.expected) for one in compared)
    return Pair(register, label, mine, other, compared, found, far)


def _lines(pair: Pair) -> Iterator[str]:
    """What is said of a result: its count of differences, the greatest, and the first few."""
    found, far = pair.found, pair.extent
    words = [f"{found.count:,} of {found.total:,} numbers differ" if found.count else "equal"]
    if far.absolute.distance:
        within = "" if found.count else "within the tolerance, "
        words.append(f"{within}the greatest {_greatest_text(pair)}")
    if far.nans:
        words.append(f"NaN in one run alone: {far.nans:,}")
    if far.bits_only:
        words.append(f"equal numbers (NaN, 0) with different bits: {far.bits_only:,}")
    yield f"{pair.label}: {'; '.join(words)}"
    if found.count:
        yield from (f"  {line}" for line in found.table(_HEADING))


def _greatest_text(pair: Pair) -> str:
    """The greatest difference, and that in representable floats, each with its place."""
    far, ulps = pair.extent.absolute, pair.extent.ulps
    text, at = _number_text(far.distance), _place(pair, far)
    if not ulps or not ulps.distance:
        return f"difference is {text} at {at}"
    if ulps[1:] == far[1:]:
        return f"difference is {text} ({ulps.distance:,} ulp) at {at}"
    return f"differences are {text} at {at} and {ulps.distance:,} ulp at {_place(pair, ulps)}"


def _place(pair: Pair, far: Far) -> str:
    return place_in(pair.a, pair.register)(far.at) + pair.compared[far.pair].name


def _number_text(number: float) -> str:
    return f"{number:,}" if isinstance(number, int) else f"{number:.6g}"


def _data(
    a: Side, b: Side, tolerance: Tolerance, pairs: list[Pair], alone: list[tuple[Side, str]]
) -> dict[str, Any]:
    return {
        "equal": not any(pair.found.count for pair in pairs),
        **{
            side.name.lower(): {
                "source": side.source,
                "device": side.device,
                "options": side.options,
            }
            for side in (a, b)
        },
        "tolerance": {
            "rtol": tolerance.relative,
            "atol": tolerance.absolute,
            "ulp": tolerance.ulps,
            "bits": tolerance.bits,
        },
        "results": {pair.register: _pair_data(a.interface, pair) for pair in pairs},
        "not_compared": {
            side.name.lower(): [register for one, register in alone if one is side]
            for side in (a, b)
        },
    }


def _pair_data(interface: ShaderInterface, pair: Pair) -> dict[str, Any]:
    far = pair.extent
    return {
        "name": interface[_base(pair.register)].name,
        "dtype": str(pair.a.dtype),
        "shape": list(pair.a.shape),
        "numbers": pair.found.total,
        "differ": pair.found.count,
        "greatest_difference": plain(far.absolute.distance),
        "greatest_difference_at": _place(pair, far.absolute) if far.absolute.distance else None,
        "greatest_ulp": far.ulps and far.ulps.distance,
        "greatest_ulp_at": _place(pair, far.ulps) if far.ulps and far.ulps.distance else None,
        "nan_in_one": far.nans,
        "different_bits_alone": far.bits_only,
        "first": _first(pair),
    }


def _first(pair: Pair) -> dict[str, Any] | None:
    """The place and values of the first number that differs."""
    if not pair.found.count:
        return None
    firsts = [(one.different.argmax(), one) for one in pair.compared if one.different.any()]
    index, one = min(firsts, key=lambda first: first[0])
    values = {"a": one.expected[index].item(), "b": one.actual[index].item()}
    return {
        "at": pair.found.rows[0][0],
        "index": [int(n) for n in np.unravel_index(index, pair.a.shape)],
        **{name: plain(value) for name, value in values.items()},
    }


# -- pictures --------------------------------------------------------------------------------------


def _check_picture(arguments: argparse.Namespace) -> None:
    if arguments.picture is None:
        return
    if arguments.picture.rpartition("=")[2] == STDOUT:
        raise UsageError("-o names a file: standard output has the comparison")
    suffix = Path(arguments.picture).suffix.lower()
    if suffix != _PNG:
        raise FileError(f"-o writes a {_PNG} file, not {suffix or 'one without a suffix'}")


def _is_picture(interface: ShaderInterface, pair: Pair) -> bool:
    dimension = interface[_base(pair.register)].dimension
    is_flat = dimension is not None and dimension_of_name(dimension).axis_names == _PICTURE
    return is_flat and pair.a.dtype.names is None and pair.a.ndim in (2, 3) and pair.a.size > 0


def _picture(pair: Pair) -> tuple[Array, str]:
    """The pixels, u8[height, width], of a texture's differences, and a caption.

    A pixel shows the greatest difference of a texel's components; where it is a number and NaN, the
    pixel is white.
    """
    one = pair.compared[0]  # its type is a number: the components are an axis
    with np.errstate(all="ignore"):
        apart = np.abs(one.actual.astype(np.float64) - one.expected.astype(np.float64))
    apart = np.where(one.different, np.nan_to_num(apart, nan=np.inf, posinf=np.inf), -1.0)
    apart = apart.reshape(*pair.a.shape[:2], -1).max(axis=2)  # -1 where all components are equal
    most = apart[np.isfinite(apart)].max(initial=0.0)
    shares = np.minimum(apart / (most or 1.0), 1.0)
    pixels = np.where(apart < 0, 0, _FAINTEST + shares * (255 - _FAINTEST))
    white = f"white a difference of {most:.6g}" if most > 0 else "white NaN or infinity in one"
    caption = f"{pair.a.shape[1]} x {pair.a.shape[0]} texels, black equal, {white}"
    return np.rint(pixels).astype(np.uint8), caption


def _write_picture(target: str, interface: ShaderInterface, pairs: list[Pair]) -> None:
    """Raises ArgumentError unless the target means one two-dimensional texture."""
    chosen = {pair.register: pair for pair in pairs if _is_picture(interface, pair)}
    there = ", ".join(pair.label for pair in chosen.values()) or "none"
    key, equals, path = target.rpartition("=")
    if equals:
        register = register_of(interface, key)
        if register not in chosen:
            raise UnknownNameError(f"-o: {key} is no two-dimensional texture; these are: {there}")
        chosen = {register: chosen[register]}
    if len(chosen) != 1:
        raise MissingError(
            f"-o needs one two-dimensional texture; the results have {there}"
            + (f": name one, -o {next(iter(chosen))}={path}" if chosen else "")
        )
    (pair,) = chosen.values()
    write_all({path: png_of(_picture(pair)[0], path)})


def _show_picture(interface: ShaderInterface, pair: Pair) -> None:
    """Show where a two-dimensional texture differs, on a terminal."""
    if pair.found.count and _is_picture(interface, pair):
        pixels, caption = _picture(pair)
        write_lines([f"{pair.label}: {caption}"])
        write_text(picture_text(np.repeat(pixels[..., np.newaxis], 3, axis=2)), None)
