"""The parser of the command line. Only the called verb's options are added."""

from __future__ import annotations

import argparse
from importlib import import_module

from translate.version import VERSION, is_compiled
from vkrunner.errors import ArgumentError

# Each verb is a module of vkrunner.cli, imported when it is called; the text is for --help.
VERBS = {
    "devices": "list the devices",
    "translate": "translate shaders to SPIR-V",
    "disasm": "print a shader as fxc lists it",
    "asm": "assemble a listing to a DXBC container",
    "extract": "cut DXBC containers out of files of any kind",
    "inspect": "show a shader's profile, chunks, resources and instructions",
    "run": "run a shader on arrays",
    "test": "run declarative shader tests",
    "selftest": "report what a device computes exactly, within tolerances, or wrongly",
    "cache": "show where translations are kept, or clear them",
    "completion": "print a script that completes words of this command in a shell",
}


class UsageError(ArgumentError):
    """A wrong command line: the verb's usage is shown with the error."""


class Parser(argparse.ArgumentParser):
    """The parser of all verbs; `by_verb` has the parser of each."""

    def __init__(self) -> None:
        super().__init__(
            prog="sm5vk", description="Direct3D compute shaders on Vulkan.", allow_abbrev=False
        )
        version = f"sm5vk {VERSION}{' (compiled)' if is_compiled() else ''}"
        self.add_argument("--version", action="version", version=version)
        self.by_verb: dict[str, argparse.ArgumentParser] = {}


def make_parser(*verbs: str, alone: bool = False) -> Parser:
    """The parser with the options of these verbs; `alone`: without the other verbs."""
    parser = Parser()
    group = parser.add_subparsers(
        dest="verb", metavar="VERB", required=True, parser_class=argparse.ArgumentParser
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
    return parser
