"""`sm5vk run`: runs a shader with arrays from files, and shows or saves the results."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from shlex import quote
from typing import Any

import numpy as np

from translate import ShaderInterface
from translate.errors import escaped
from translate.interface import CONSTANT_BUFFER, Binding
from vkrunner import AbortError, ArgumentError, DuplicateError, Kernel, ReferenceResult, open_device
from vkrunner.binding.making import Formatted
from vkrunner.binding.registers import (
    Key,
    by_register,
    elements_of,
    find,
    look_up,
    match_keys,
    register_of,
)
from vkrunner.cli.array_files import check_name, save
from vkrunner.cli.explain import check_packages, title_of
from vkrunner.cli.output import STDOUT, write_json, write_lines, write_text
from vkrunner.cli.parser import UsageError
from vkrunner.cli.results import print_messages, print_races, show_result, show_violations
from vkrunner.cli.source import SOURCE, add_hlsl_options, open_shader, report
from vkrunner.cli.terminal import show_work
from vkrunner.cli.translation_flags import add_translation_options, pairs, translation_options
from vkrunner.cli.value_parser import NULL, SYNTAX, parse_value
from vkrunner.dispatch.context import DEFAULT_TIMEOUT_S
from vkrunner.report.messages import DEFAULT_CAPACITY
from vkrunner.shader.shader import Shader

_DIGITS = 20  # the most digits of a number
_TRACE_HELP = (
    "show, in place of results, each instruction that this thread (SV_DispatchThreadID) executes,"
    " with its values; needs --device reference"
)


def configure(parser: argparse.ArgumentParser) -> None:
    _add_options(parser)
    parser.usage = (
        "sm5vk run IN --groups|--threads X[,Y[,Z]] [--REGISTER VALUE]... [options];"
        " see sm5vk run --help"
    )
    note = "If a resource has the name of an option, use its register."
    parser.description = f"{parser.description}\n\n{SYNTAX}\n{note}"


def _add_options(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    add = parser.add_argument
    return [
        add("source", metavar="IN", help=SOURCE),
        add("--groups", metavar="X[,Y[,Z]]", help="thread groups, for instance 256"),
        add(
            "--threads",
            metavar="X[,Y[,Z]]",
            help="instead of --groups: as many groups as have a thread for each element, for"
            " instance the width and height of a picture",
        ),
        add(
            "--save",
            metavar="REG=FILE",
            action="append",
            default=[],
            help="write a result as .npy (- for standard output) or .raw instead of showing it",
        ),
        add("--device", metavar="D", help="a part of its name, its index, or reference"),
        *_add_report_options(parser),
        add("--trace", metavar="X,Y,Z", help=_TRACE_HELP),
        add("--time", action="store_true", help="print the time on the device to standard error"),
        add("--json", action="store_true", help="print the results' summary as JSON"),
        add(
            "--timeout",
            metavar="SECONDS",
            type=float,
            default=DEFAULT_TIMEOUT_S,
            help="the longest time that the shader may run (60)",
        ),
        add(
            "--message-capacity",
            metavar="N",
            type=int,
            default=DEFAULT_CAPACITY,
            help=f"how many of a shader's printf and errorf are kept ({DEFAULT_CAPACITY})",
        ),
        add(
            "--ignore-unused",
            action="store_true",
            help="ignore resources that the shader does not have; their files are not read",
        ),
        *add_hlsl_options(parser),
        *add_translation_options(parser),
    ]


def _add_report_options(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    add = parser.add_argument
    return [
        add(
            "--report",
            action="store_true",
            help="list the instructions with violations (accesses out of bounds), and exit with 1"
            " if there is one whose result is used",
        ),
        add(
            "--every-violation",
            action="store_true",
            help="with --report: list the violations one by one, of which some 4096 are recorded",
        ),
        add(
            "-o",
            dest="page",
            metavar="PAGE",
            help="with --report or --trace: write a page with the violations or the instructions",
        ),
    ]


def split_resources(words: list[str]) -> tuple[list[str], dict[str, str]]:
    """Split a command line into (the words for argparse, resource -> its value).

    argparse cannot know the registers, and would take a resource's value for the shader's file.
    """
    actions = _actions()
    ours: list[str] = []
    resources: dict[str, str] = {}
    rest = iter(words)
    for word in rest:
        name, equals, value = word.partition("=")
        register = name.removeprefix("--")
        if name == "--":  # the words after it are not resources
            ours += [word, *rest]
        elif name in actions:
            own = [] if equals else [*islice(rest, int(actions[name].nargs != 0))]
            _check_choice(name, actions[name], value if equals else "".join(own))
            ours += [word, *own]
        elif not name.startswith("--") or name == "--help":
            ours.append(word)
        elif register in resources:
            raise UsageError(f"{name} is given twice")
        else:
            resources[register] = value if equals else _following(rest, name)
    return ours, resources


def option_names() -> frozenset[str]:
    """The options of `sm5vk run`, which a resource's name must not be."""
    return frozenset([*_actions(), "--help"])


def _actions() -> dict[str, argparse.Action]:
    actions = _add_options(argparse.ArgumentParser(add_help=False))
    return {option: action for action in actions for option in action.option_strings}


def _check_choice(name: str, action: argparse.Action, value: str) -> None:
    """Raise UsageError for a value that the option does not have: a resource may have its name."""
    if action.choices is not None and value and value not in action.choices:
        raise UsageError(
            f"{name} takes {', '.join(action.choices)}, not {value!r}; for a resource of this name"
            " write its register, for instance --u0"
        )


def _following(rest: Iterator[str], name: str) -> str:
    value = next(rest, None)
    if value is None or value.startswith("--"):
        raise UsageError(f"{name} needs a value")
    return value


def run(arguments: argparse.Namespace) -> int:
    counts = _counts(arguments)
    saves = pairs("--save", arguments.save, "REG=FILE, for instance u0=out.npy")
    if arguments.json and STDOUT in saves.values():
        raise UsageError("--json and --save REG=- both write to standard output")
    thread = _thread(arguments)
    shader = open_shader(arguments, arguments.source)
    options = _options(arguments)
    with open_device(arguments.device, timestamps=True) as device, show_work(device) as say:
        kernel = device.kernel(shader, message_capacity=arguments.message_capacity, **options)
        groups = kernel.groups_for(*counts) if arguments.threads else counts
        report(shader)
        saves = _saves(kernel.interface, saves)
        _check_page(arguments, saves.values())
        say("reading arrays")
        values = _values(kernel.interface, _used(kernel.interface, arguments), shader)
        _check_complete(kernel.interface, values, arguments.source)
        say("")
        if thread is not None:
            return _trace(arguments, kernel, groups, thread, values, shader)
        say(f"running on {device.name} with {_size_text(values)} of arrays")
        try:
            result = kernel.dispatch(groups, timeout=arguments.timeout, bindings=values)
        except AbortError as error:
            say("")
            print_messages(error.result.messages)
            raise
        say("")
        print_messages(result.messages)
        say("writing results")
        save(kernel.interface, result, saves, _formats(kernel.interface, values))
        say("")
        show_result(arguments, device.name, kernel.interface, result)
    if not arguments.report:
        if isinstance(result, ReferenceResult):
            print_races(result)
        return 0
    if arguments.page is not None:
        page = result.violations.page(title_of(arguments.source))
        write_text(page, arguments.page)
    if not arguments.json:
        found = result.violations
        table = found.table() if arguments.every_violation else found.summary()
        if isinstance(result, ReferenceResult):
            table = "\n".join([table, *result.race_summary().splitlines()])
        show_violations(table, to_stdout=STDOUT not in saves.values())
    return 1 if result.violations.harmful().total else 0


def _counts(arguments: argparse.Namespace) -> tuple[int, ...]:
    """The numbers of `--groups` or `--threads`. Raises UsageError unless one of them is given."""
    if (arguments.groups is None) == (arguments.threads is None):
        raise UsageError("run takes one of --groups X[,Y[,Z]] and --threads X[,Y[,Z]]")
    if arguments.threads is not None:
        return _numbers("--threads", arguments.threads, at_least=1)
    return _numbers("--groups", arguments.groups, at_least=1)


def _options(arguments: argparse.Namespace) -> dict[str, Any]:
    """The options of the translation, with those of a report."""
    options = translation_options(arguments)
    if arguments.report:
        options["guards"] = "report"
    elif arguments.every_violation or (arguments.page and not arguments.trace):
        raise UsageError("--every-violation needs --report, and -o needs --report or --trace")
    if arguments.page is not None:
        check_packages()
    return options


def _thread(arguments: argparse.Namespace) -> tuple[int, ...] | None:
    """The thread of `--trace`; None without it. Raises UsageError for options that exclude it."""
    if arguments.trace is None:
        return None
    for option in ("save", "report", "time"):
        if getattr(arguments, option):
            raise UsageError(f"--trace shows what one thread does: leave out --{option}")
    return _numbers("--trace", arguments.trace, at_least=3)


def _trace(
    arguments: argparse.Namespace,
    kernel: Kernel,
    groups: tuple[int, ...],
    thread: tuple[int, ...],
    values: Mapping[Key, Any],
    shader: Shader,
) -> int:
    from vkrunner import ReferenceKernel
    from vkrunner.cli.trace import trace_data, trace_lines, write_trace  # only if needed

    if not isinstance(kernel, ReferenceKernel):
        raise UsageError(
            "only the reference machine, an interpreter, can trace: add --device reference"
        )
    steps = kernel.trace(groups, thread=thread, bindings=values, timeout=arguments.timeout)
    if arguments.page is not None:
        write_trace(arguments, shader.program, steps)
    elif arguments.json:
        write_json(trace_data(steps))
    else:
        write_lines(trace_lines(steps))
    return 0


def _numbers(option: str, text: str, *, at_least: int) -> tuple[int, ...]:
    parts = text.split(",")
    if not at_least <= len(parts) <= 3 or not all(_is_number(part.strip()) for part in parts):
        wanted = "X,Y,Z, three numbers" if at_least == 3 else "X, X,Y or X,Y,Z, numbers"
        raise UsageError(f"{option} takes {wanted} from 0 on, not {text!r}")
    return tuple(int(part) for part in parts)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < _DIGITS


def _saves(interface: ShaderInterface, saves: Mapping[str, str]) -> dict[str, str]:
    """The values of `--save` as register -> file.

    Raises UsageError for a register that cannot be saved, and for two results in one file.
    """
    made: dict[str, str] = {}
    for key, path in saves.items():
        register = register_of(interface, key)
        label = interface[register].label
        if not register.startswith("u"):
            raise UsageError(f"--save: {label} is not written by a shader")
        if interface[register].count != 1:
            raise UsageError(f"--save: {label} is an array of resources")
        check_name(path)
        made[register] = path
    if len(made) != len(saves) or len(set(made.values())) != len(made):
        raise UsageError("--save: each register once, and each to a file of its own")
    return made


def _check_page(arguments: argparse.Namespace, saved: Iterable[str]) -> None:
    """Raise UsageError if the page of a report would go where results go."""
    if arguments.page is None or arguments.trace is not None:
        return
    if arguments.page == STDOUT:
        raise UsageError("-o names a file: standard output has the results")
    if os.path.realpath(arguments.page) in map(os.path.realpath, saved):
        raise UsageError(f"-o and --save both name {arguments.page}: name two files")


def _used(interface: ShaderInterface, arguments: argparse.Namespace) -> dict[str, str]:
    """Resource -> its value as text; with --ignore-unused only resources that the shader has."""
    given: dict[str, str] = arguments.resources
    if not arguments.ignore_unused:
        return given
    return {
        key: text
        for key, text in given.items()
        if look_up(interface, key) is not None or elements_of(interface, key)
    }


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
    floats = _float_vectors(binding, shader)
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


def _formats(interface: ShaderInterface, values: Mapping[Key, Any]) -> dict[str, str]:
    """Register -> DXGI format, for the values that have one."""
    given = [(key, value) for key, value in values.items() if isinstance(value, Formatted)]
    return {register_of(interface, key): value.format for key, value in given}


def _float_vectors(binding: Binding, shader: Shader) -> frozenset[int]:
    """The indices of the vectors that the shader reads as floats, for a buffer without names.

    Empty for other bindings.
    """
    slot = binding.register.removeprefix("cb")
    if binding.kind != CONSTANT_BUFFER or binding.constants is not None or not slot.isdecimal():
        return frozenset()
    return shader.program.float_vectors(int(slot))


def _check_complete(interface: ShaderInterface, values: Mapping[Key, Any], source: str) -> None:
    try:
        match_keys(interface, values)
    except ArgumentError as error:
        hint = f"`sm5vk inspect {escaped(quote(source))}` prints a command with all resources"
        raise type(error)(f"{error}; {hint}") from None


def _size_text(values: Mapping[Key, Any]) -> str:
    size = sum(value.nbytes for value in values.values() if isinstance(value, np.ndarray))
    return f"{size / 1e6:,.1f} MB"
