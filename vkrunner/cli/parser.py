"""The parser of the command line. Only the called verb's options are added."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

from translate.errors import message_text
from translate.version import IS_COMPILED, VERSION
from vkrunner.errors import ArgumentError

# Each verb is a module of vkrunner.cli, imported when it is called; the text is for --help.
VERBS = {
    "devices": "list the devices",
    "translate": "translate shaders to SPIR-V",
    "disasm": "print a shader as a listing in fxc's form, with exact numbers",
    "asm": "assemble a listing to a DXBC container",
    "extract": "cut DXBC containers out of files of any kind",
    "inspect": "show a shader's profile, chunks, resources and instructions",
    "explain": "write a page with a shader's code in all its forms, and its guards",
    "run": "run a shader on arrays",
    "diff": "run two shaders, or one on two devices, and compare the results",
    "test": "run declarative shader tests",
    "selftest": "report what a device computes exactly, within tolerances, or wrongly",
    "cache": "show where translations are kept, or clear them",
    "completion": "print a script that completes words of this command in a shell",
}

CMAKE_FOLDER = str(Path(__file__).parents[1] / "cmake")
TAKE_RESOURCES = ("run", "diff")  # as options, which argparse does not know

# The last line of each verb's --help: a command that runs in the clone
EXAMPLES = {
    "devices": "sm5vk devices --details",
    "translate": "sm5vk translate shaders/saxpy.dxbc -o saxpy.spv --interface saxpy.json",
    "disasm": "sm5vk disasm shaders/saxpy.dxbc --header -o saxpy.asm",
    "asm": "sm5vk asm shaders/saxpy.asm -o saxpy.dxbc",
    "extract": "sm5vk extract shaders --output-dir containers",
    "inspect": "sm5vk inspect shaders/saxpy.dxbc",
    "explain": "sm5vk explain shaders/saxpy.dxbc -o saxpy.html",
    "run": "sm5vk run shaders/saxpy.dxbc --groups 1 --x arange:8 --y ones:8 --Params a=2,count=8",
    "diff": "sm5vk diff shaders/saxpy.dxbc shaders/saxpy.asm --groups 1 --x arange:8 --y ones:8"
    " --cb0 a=2,count=8 --against --device reference",
    "test": "sm5vk test shaders/saxpy.shader_test -v",
    "selftest": "sm5vk selftest --device reference -k rounding",
    "cache": "sm5vk cache",
    "completion": "sm5vk completion bash > ~/.local/share/bash-completion/completions/sm5vk",
}


class UsageError(ArgumentError):
    """A wrong command line: the verb's usage is shown with the error."""


_WITHOUT_VALUE = re.compile(r"argument (?:\S+/)?(--[\w-]+): expected one argument$")


class VerbParser(argparse.ArgumentParser):
    """A parser that escapes words of the command line in its errors, and adds a hint to them."""

    hint: Callable[[], str] = str

    def options(self) -> dict[str, argparse.Action]:
        """The options by name, which a resource's name must not be."""
        return {option: action for action in self._actions for option in action.option_strings}

    def error(self, message: str) -> NoReturn:
        if found := _WITHOUT_VALUE.match(message):
            message += f"; a value that begins with - follows =: {found[1]}=VALUE"
        super().error(message_text(message) + self.hint())

    def _print_message(self, message: str, file: Any = None) -> None:
        with suppress(OSError):  # which argparse ignores, but not in every Python 3.11
            super()._print_message(message, file)


class Parser(VerbParser):
    """The parser of all verbs; `by_verb` has the parser of each."""

    def __init__(self) -> None:
        super().__init__(
            prog="sm5vk",
            description="Direct3D compute shaders on Vulkan.",
            allow_abbrev=False,
            formatter_class=argparse.RawDescriptionHelpFormatter,  # wraps no path
        )
        version = f"sm5vk {VERSION}{' (compiled)' if IS_COMPILED else ''}"
        self.add_argument("--version", action="version", version=version)
        self.add_argument(
            "--cmake-dir",
            action="version",
            version=CMAKE_FOLDER,
            help="show the folder for CMake's find_package(sm5vk), and exit",
        )
        self.by_verb: dict[str, VerbParser] = {}


def check_outputs(arguments: argparse.Namespace, included: Sequence[str] = ()) -> None:
    """Raise UsageError for an output that would replace the shader, or a file that it includes."""
    given = vars(arguments)
    sources = [given.get("source"), given.get("other"), *given.get("sources", ())]
    saved = (word.partition("=")[2] for word in given.get("save", ()))
    picture = (given.get("picture") or "").rpartition("=")[2]
    outputs = [*map(given.get, ("output", "interface", "depfile", "page")), *saved, picture]
    files = [file for file in outputs if file not in (None, "", "-") and os.path.isfile(file)]
    inputs = [(file, "the input") for file in sources if file not in (None, "-")]
    inputs += [(file, "included") for file in included]
    for source, role in inputs if files else ():
        for file in files:
            if os.path.isfile(source) and os.path.samefile(source, file):
                raise UsageError(f"{file} is {role}: name another file for the output")


def overview() -> str:
    """The verbs, each with what it does and an example."""
    verbs = (f"  {name:12}{text}\n  {'':12}{EXAMPLES[name]}\n" for name, text in VERBS.items())
    return "\n".join(
        ["usage: sm5vk VERB ...; sm5vk VERB --help has the options of a verb\n", *verbs]
    )


def make_parser(*verbs: str, alone: bool = False) -> Parser:
    """The parser with the options of these verbs; `alone`: without the other verbs."""
    parser = Parser()
    group = parser.add_subparsers(
        dest="verb", metavar="VERB", required=True, parser_class=VerbParser
    )
    for name in verbs if alone else VERBS:
        verb = parser.by_verb[name] = group.add_parser(
            name,
            help=VERBS[name],
            allow_abbrev=False,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        if name in verbs:
            module = import_module(f"vkrunner.cli.{name}")
            verb.description = module.__doc__
            module.configure(verb)
            verb.epilog = f"{verb.epilog or ''}\n\nexample:\n  {EXAMPLES[name]}".lstrip()
    return parser
