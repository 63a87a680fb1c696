"""A dispatch of `sm5vk run` and `sm5vk diff`: its options, and resources given as words."""

from __future__ import annotations

import argparse
from collections.abc import Collection, Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from shlex import quote
from typing import Any, NamedTuple

import numpy as np

from translate import ShaderInterface
from translate.errors import did_you_mean, escaped
from translate.interface import CONSTANT_BUFFER, Binding, register_place
from vkrunner import (
    AbortError,
    ArgumentError,
    Device,
    DispatchTimeout,
    DuplicateError,
    Kernel,
    Result,
    UnknownNameError,
    open_device,
)
from vkrunner.api.opening import prepare
from vkrunner.binding.registers import (
    Key,
    by_register,
    elements_of,
    find,
    has_resource,
    look_up,
    match_keys,
)
from vkrunner.cli.output import Say, show_work
from vkrunner.cli.parser import UsageError, VerbParser
from vkrunner.cli.results import print_messages
from vkrunner.cli.source import add_hlsl_options, open_shader, report
from vkrunner.cli.translation_flags import add_translation_options
from vkrunner.cli.value_parser import NULL, parse_value
from vkrunner.dispatch.context import DEFAULT_TIMEOUT_S
from vkrunner.report.messages import DEFAULT_CAPACITY
from vkrunner.shader.shader import Shader

_DIGITS = 20  # the most digits of a number
NAMES = "If a resource has the name of an option, use its register."


class Job(NamedTuple):
    """A kernel on an open device, and the groups to dispatch; `say` shows the current work."""

    device: Device
    kernel: Kernel
    groups: tuple[int, ...]
    shader: Shader
    say: Say


def add_group_options(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--groups", metavar="X[,Y[,Z]]", help="thread groups, for instance 256")
    add(
        "--threads",
        metavar="X[,Y[,Z]]",
        help="instead of --groups: as many groups as have a thread for each element, for"
        " instance the width and height of a picture",
    )


def add_device_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--device", metavar="D", help="a part of its name, its index, or reference")


def add_dispatch_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of a dispatch and of its shader, without groups and device."""
    add = parser.add_argument
    add(
        "--timeout",
        metavar="SECONDS",
        type=float,
        default=DEFAULT_TIMEOUT_S,
        help="the longest time that the shader may run (60)",
    )
    add(
        "--message-capacity",
        metavar="N",
        type=int,
        default=DEFAULT_CAPACITY,
        help=f"how many of a shader's printf and errorf are kept ({DEFAULT_CAPACITY})",
    )
    add(
        "--ignore-unused",
        action="store_true",
        help="ignore resources that the shader does not have; their files are not read",
    )
    add_hlsl_options(parser)
    add_translation_options(parser)


def split_resources(words: list[str], verb: VerbParser) -> tuple[list[str], dict[str, str]]:
    """Split a command line into (the words for argparse, resource -> its value).

    argparse cannot know the registers, and would take a resource's value for the shader's file.
    """
    actions = verb.options()
    ours: list[str] = []
    resources: dict[str, str] = {}
    rest = iter(words)
    for word in rest:
        name, equals, value = word.partition("=")
        register = name.removeprefix("--")
        takes_all = name in actions and actions[name].nargs == argparse.REMAINDER
        if name == "--" or takes_all:  # the words after it are not resources
            ours += [word, *rest]
        elif name in actions:
            own = [] if equals else [*islice(rest, int(actions[name].nargs != 0))]
            _check_choice(name, actions[name], value if equals else "".join(own))
            ours += [word, *own]
        elif not name.startswith("--"):
            ours.append(word)
        elif register in resources:
            raise UsageError(f"{name} is given twice")
        else:
            resources[register] = value if equals else _following(rest, name, actions)
    return ours, resources


def _check_choice(name: str, action: argparse.Action, value: str) -> None:
    """Raise UsageError for a value that the option does not have: a resource may have its name."""
    if action.choices is not None and value and value not in action.choices:
        raise UsageError(
            f"{name} takes {', '.join(action.choices)}, not {value!r}; for a resource of this name"
            " write its register, for instance --u0"
        )


def _following(rest: Iterator[str], name: str, options: Iterable[str]) -> str:
    value = next(rest, None)
    if value is None or value.startswith("--"):
        raise UsageError(f"{name} needs a value{did_you_mean(name, options)}")
    return value


def misspelt(resources: Iterable[str], options: Collection[str]) -> str:
    """A hint at an option whose name is like that of a resource, or ""."""
    words = (name for name in resources if register_place(name) is None)
    hints = (did_you_mean(f"--{name}", options, f"{{}} for --{name}".format) for name in words)
    return next(filter(None, hints), "")


def group_counts(arguments: argparse.Namespace) -> tuple[int, ...]:
    """The numbers of `--groups` or `--threads`. Raises UsageError unless one of them is given."""
    if (arguments.groups is None) == (arguments.threads is None):
        raise UsageError(
            f"{arguments.verb} takes one of --groups X[,Y[,Z]] and --threads X[,Y[,Z]]"
            f"{misspelt(arguments.resources, ('--groups', '--threads'))}"
        )
    if arguments.threads is not None:
        return numbers_of("--threads", arguments.threads, at_least=1)
    return numbers_of("--groups", arguments.groups, at_least=1)


def numbers_of(option: str, text: str, *, at_least: int) -> tuple[int, ...]:
    parts = text.split(",")
    if not at_least <= len(parts) <= 3 or not all(_is_number(part.strip()) for part in parts):
        wanted = "X,Y,Z, three numbers" if at_least == 3 else "X, X,Y or X,Y,Z, numbers"
        raise UsageError(f"{option} takes {wanted} from 0 on, not {text!r}")
    return tuple(int(part) for part in parts)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < _DIGITS


@contextmanager
def open_job(
    arguments: argparse.Namespace, source: str, counts: tuple[int, ...], options: dict[str, Any]
) -> Generator[Job]:
    """A kernel for the shader in `source`; `counts` are those of --groups or --threads."""
    shader = open_shader(arguments, source)
    prepare(arguments.device)
    with open_device(arguments.device, timestamps=True) as device, show_work(device) as say:
        kernel = device.kernel(shader, message_capacity=arguments.message_capacity, **options)
        groups = kernel.groups_for(*counts) if arguments.threads else counts
        report(shader, arguments)
        yield Job(device, kernel, groups, shader, say)


def read_values(arguments: argparse.Namespace, job: Job, source: str) -> dict[Key, Any]:
    """The values of all resources. Raises ArgumentError, and OSError for a file."""
    interface = job.kernel.interface
    job.say("reading arrays")
    given = _used(interface, arguments)
    try:
        values = _values(interface, given, job.shader)
    except UnknownNameError as error:
        unknown = [key for key in given if not has_resource(interface, key)]
        raise UnknownNameError(f"{error}{misspelt(unknown, arguments.parser.options())}") from None
    _check_complete(interface, values, source)
    job.say("")
    return values


def dispatch(arguments: argparse.Namespace, job: Job, values: Mapping[Key, Any]) -> Result:
    """Run the shader, and print its messages."""
    job.say(f"running on {job.device.name} with {_size_text(values)} of arrays")
    try:
        result = job.kernel.dispatch(job.groups, timeout=arguments.timeout, bindings=values)
    except AbortError as error:
        job.say("")
        print_messages(error.result.messages)
        raise
    except DispatchTimeout as error:
        job.say("")
        advice = "allow more with --timeout SECONDS" if error.fact != str(error) else ""
        raise DispatchTimeout(error.fact, advice) from None
    job.say("")
    print_messages(result.messages)
    return result


def _used(interface: ShaderInterface, arguments: argparse.Namespace) -> dict[str, str]:
    """Resource -> its value as text; with --ignore-unused only resources that the shader has."""
    given: dict[str, str] = arguments.resources
    if not arguments.ignore_unused:
        return given
    return {key: text for key, text in given.items() if has_resource(interface, key)}


def _values(
    interface: ShaderInterface, resources: Mapping[str, str], shader: Shader
) -> dict[Key, Any]:
    made: dict[Key, Any] = {}
    for key, text in resources.items():
        is_list = look_up(interface, key) is None or ";" in text
        elements = elements_of(interface, key) if is_list else {}
        if elements:
            values = _list(interface, elements, text)
            twice = next((register for register in values if register in made), None)
            made.update(values)
        else:
            twice = key if key in made else None
            made[key] = _value(interface, key, text, shader)
        if twice is not None:
            raise DuplicateError(f"{twice} is given twice")
    return made


def _value(interface: ShaderInterface, key: Key, text: str, shader: Shader) -> Any:
    binding, element = find(interface, key)
    several = binding.count != 1 and element is None
    floats = _float_dwords(binding, shader)
    return parse_value(binding, text, several=several, floats=floats)


def _list(interface: ShaderInterface, elements: Mapping[int, str], text: str) -> dict[str, Any]:
    """The values in a list `VALUE;VALUE`, by register, for an array in a shader before cs_5_1.

    In such shaders, each element is a register of its own: `elements` maps index to register.
    """
    parts: list[Any] = [part if part != NULL else None for part in text.split(";")]
    values = [
        parse_value(interface[elements[n]], part) if part is not None and n in elements else part
        for n, part in enumerate(parts)
    ]
    return by_register(interface, elements, values)


def _float_dwords(binding: Binding, shader: Shader) -> frozenset[int]:
    """The numbers of the dwords that the shader reads as floats, for a buffer without names.

    Empty for other bindings.
    """
    slot = binding.register.removeprefix("cb")
    if binding.kind != CONSTANT_BUFFER or binding.constants is not None or not slot.isdecimal():
        return frozenset()
    return shader.program.float_components(int(slot))


def _check_complete(interface: ShaderInterface, values: Mapping[Key, Any], source: str) -> None:
    try:
        match_keys(interface, values)
    except ArgumentError as error:
        hint = f"`sm5vk inspect {escaped(quote(source))}` prints a command with all resources"
        raise type(error)(f"{error}; {hint}") from None


def _size_text(values: Mapping[Key, Any]) -> str:
    size = sum(value.nbytes for value in values.values() if isinstance(value, np.ndarray))
    return f"{size / 1e6:,.1f} MB"
