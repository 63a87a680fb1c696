"""The flags of `translate.Options`, one for each field, on every verb that translates."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, cast

from translate.options import (
    DENORMALS,
    FLOAT_CONTROLS,
    GUARDS,
    MAX_INLINED,
    MAX_WORDS,
    ROBUST_ACCESS,
    SAMPLING,
    SIZE_TABLES,
    TARGETS,
    WORKAROUNDS,
)
from vkrunner.cli.parser import UsageError

_NONE = "none"
_LIMITS = "limits"
_GUARDS_HELP = "; ".join(f"{name}: {meaning}" for name, meaning in GUARDS.items())


def _as_it_is(value: Any) -> Any:
    return value


@dataclass(frozen=True)
class Flag:
    """The flag of one field of `Options`: its name there, its spelling, and its value's reader.

    `group` is the heading in --help under which it stands; `is_for_one` says that it names what one
    shader has, and others lack.
    """

    name: str
    spelling: str
    keywords: Mapping[str, Any] = field(default_factory=dict[str, Any])
    read: Callable[[Any], Any] = _as_it_is
    group: str | None = None
    is_for_one: bool = False

    @property
    def is_off(self) -> bool:
        """Whether the flag turns off what is on by default."""
        return self.keywords.get("action") == "store_false"


def add_translation_options(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    """The flags of all options; none has a default, so that given ones can be recognised."""
    groups = {flag.group: parser.add_argument_group(flag.group) for flag in FLAGS if flag.group}
    return [
        (groups[flag.group] if flag.group else parser).add_argument(
            flag.spelling, dest=flag.name, default=None, **flag.keywords
        )
        for flag in FLAGS
    ]


def translation_options(arguments: argparse.Namespace) -> dict[str, Any]:
    """The options that were given, by the names that `Options` has for them.

    Raises UsageError for a value that cannot be read.
    """
    given = [(flag, getattr(arguments, flag.name)) for flag in FLAGS]
    return {flag.name: flag.read(value) for flag, value in given if value is not None}


def translation_words(arguments: argparse.Namespace) -> list[str]:
    """The flags that were given, as words of a command line."""
    words: list[str] = []
    for flag in FLAGS:
        value = getattr(arguments, flag.name)
        if isinstance(value, list):
            words += [f"{flag.spelling}={part}" for part in cast("list[str]", value)]
        elif isinstance(value, bool):
            words.append(flag.spelling if value or flag.is_off else f"--no-{flag.spelling[2:]}")
        elif value is not None:
            words.append(f"{flag.spelling}={value}")
    return words


def refuse_for_many(arguments: argparse.Namespace) -> None:
    """Raise UsageError for a flag that names what one shader has."""
    for flag in FLAGS:
        if flag.is_for_one and getattr(arguments, flag.name) is not None:
            raise UsageError(f"{flag.spelling} is for one shader")


def pairs(option: str, texts: Sequence[str], example: str) -> dict[str, str]:
    """`NAME=VALUE`, each name once. Raises UsageError, which has the example."""
    made: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not name or not equals or not value:
            raise UsageError(f"{option} takes {example}, not {text!r}")
        if name in made:
            raise UsageError(f"{option} {name} is given twice")
        made[name] = value
    return made


def _places(texts: Sequence[str]) -> dict[str, tuple[int, int]]:
    example = "REG=SET:BINDING, for instance t0=0:3"
    places: dict[str, tuple[int, int]] = {}
    for register, text in pairs("--bind", texts, example).items():
        numbers = text.split(":")
        if len(numbers) != 2 or not all(map(_is_number, numbers)):
            raise UsageError(f"--bind takes {example}, not {f'{register}={text}'!r}")
        places[register] = (int(numbers[0]), int(numbers[1]))
    return places


def _formats(texts: Sequence[str]) -> dict[str, str | list[str]]:
    found = pairs("--format", texts, "REG=FORMAT, for instance u0=r32_uint").items()
    return {register: _one_or_several(text) for register, text in found}


def _lengths(option: str, example: str, texts: Sequence[str]) -> dict[str, int]:
    found = pairs(option, texts, example)
    for register, text in found.items():
        if not _is_number(text):
            raise UsageError(f"{option} takes {example}, not {f'{register}={text}'!r}")
    return {register: int(text) for register, text in found.items()}


def _classes(texts: Sequence[str]) -> dict[str, str | list[str]]:
    found = pairs("--class-instance", texts, "INTERFACE=INSTANCE, for instance light=sun").items()
    return {interface: _one_or_several(text) for interface, text in found}


def _one_or_several(text: str) -> str | list[str]:
    parts = text.split(",")
    return parts if len(parts) > 1 else text


def _names(texts: Sequence[str]) -> frozenset[str]:
    """Names with commas between them; `none` for no name."""
    return frozenset(name for text in texts for name in text.split(",") if name != _NONE)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < 20


def _choice(allowed: Sequence[str], metavar: str, help: str) -> dict[str, Any]:
    return {"choices": tuple(allowed), "metavar": metavar, "help": help}


def _several(metavar: str, help: str) -> dict[str, Any]:
    return {"action": "append", "metavar": metavar, "help": f"{help}; again for each"}


FLAGS = (
    Flag("guards", "--guards", _choice([*GUARDS], "MODE", f"{_GUARDS_HELP} (default: d3d)")),
    Flag("target", "--target", _choice(TARGETS, "ENV", "vulkan1.1 (default) to vulkan1.3")),
    Flag(
        "bindings",
        "--bind",
        _several("REG=SET:BINDING", "where a register's descriptor goes, for instance t0=0:3"),
        _places,
        is_for_one=True,
    ),
    Flag(
        "formats",
        "--format",
        _several(
            "REG=FORMAT",
            "the DXGI format of a typed buffer or texture, for instance t0=r8g8b8a8_unorm; of a"
            " range also one for each register, with commas between",
        ),
        _formats,
        is_for_one=True,
    ),
    Flag(
        "float_controls",
        "--float-controls",
        {
            "action": "append",
            "metavar": "NAME,...",
            "help": f"float modes that the device offers, or none: {', '.join(FLOAT_CONTROLS)}",
        },
        _names,
    ),
    Flag(
        "robust_access",
        "--robust-access",
        {
            "action": "append",
            "metavar": "NAME,...",
            "help": "features of the device that checks may lean on, or none: "
            + ", ".join(ROBUST_ACCESS),
        },
        _names,
    ),
    Flag(
        "array_lengths",
        "--array-length",
        _several("REG=N", "how many resources an unbounded range has, for instance t0=16"),
        partial(_lengths, "--array-length", "REG=N, for instance t0=16"),
        is_for_one=True,
    ),
    Flag(
        "constant_lengths",
        "--constant-length",
        _several(
            "REG=N",
            "how many vectors a constant buffer's descriptor shows, where they are more than the"
            " shader declares, for instance cb0=256",
        ),
        partial(_lengths, "--constant-length", "REG=N, for instance cb0=256"),
        is_for_one=True,
    ),
    Flag(
        "size_tables",
        "--size-tables",
        _choice(
            SIZE_TABLES,
            "WHICH",
            "arrays whose buffers' sizes come from tables that the host binds, for drivers that get"
            " them wrong: none (default), non_uniform, dynamic",
        ),
    ),
    Flag(
        "workarounds",
        "--workaround",
        {
            "action": "append",
            "metavar": "NAME,...",
            "help": "driver faults that the module works around, or none: "
            + ", ".join(sorted(WORKAROUNDS)),
        },
        _names,
    ),
    Flag(
        "windows",
        "--window",
        _several(
            "REG",
            "a buffer or 3D UAV whose view is a part of what its descriptor shows: push constants"
            " say which, or of a range a table",
        ),
        _names,
        is_for_one=True,
    ),
    Flag(
        "single_sample",
        "--single-sample",
        _several("REG", "a multisampled texture that will have one sample"),
        _names,
        is_for_one=True,
    ),
    Flag(
        "class_instances",
        "--class-instance",
        _several(
            "INTERFACE=INSTANCE",
            "the class instance that implements an interface; of an array of interfaces all of"
            " them, with commas between",
        ),
        _classes,
        is_for_one=True,
    ),
    Flag(
        "denormals",
        "--denormals",
        _choice(DENORMALS, "MODE", "d3d: flushed (default); device: as the device has them"),
    ),
    Flag(
        "sampling",
        "--sampling",
        _choice(
            SAMPLING,
            "MODE",
            "samples at NaN, infinite and very large operands; d3d: as there (default); device: as"
            " the device has them",
        ),
    ),
    Flag(
        "max_inlined",
        "--max-inlined",
        {
            "type": int,
            "metavar": "N",
            "help": "operations that copies of subroutines may add; beyond it a loop calls them"
            f" ({MAX_INLINED})",
        },
        group=_LIMITS,
    ),
    Flag(
        "max_instructions",
        "--max-instructions",
        {
            "type": int,
            "metavar": "N",
            "help": "operations that the shader may become (64 for each instruction, and 200000)",
        },
        group=_LIMITS,
    ),
    Flag(
        "max_words",
        "--max-words",
        {
            "type": int,
            "metavar": "N",
            "help": f"words of SPIR-V that the shader may become ({MAX_WORDS})",
        },
        group=_LIMITS,
    ),
    Flag(
        "optimize",
        "--no-optimize",
        {"action": "store_false", "help": "leave out what only makes code smaller or faster"},
    ),
    Flag(
        "validate",
        "--validate",
        {
            "action": argparse.BooleanOptionalAction,
            "help": "check the module with SPIRV-Tools (default: where there are any)",
        },
    ),
    Flag(
        "debug_lines",
        "--debug-lines",
        {
            "action": "store_true",
            "help": "OpLine to the HLSL where there is debug information, else to the listing",
        },
    ),
    Flag(
        "debug_info",
        "--debug-info",
        {
            "action": "store_true",
            "help": "the HLSL, else the listing, and its lines for debuggers such as RenderDoc",
        },
    ),
    Flag(
        "strict",
        "--strict",
        {
            "action": "store_true",
            "help": "what is warned of in the shader is an error, such as numbers that fxc rounded",
        },
    ),
)
