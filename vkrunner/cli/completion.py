"""`sm5vk completion`: prints a script with which a shell completes verbs, options and files.

For zsh, write it to ~/.zfunc/_sm5vk; ~/.zfunc has to be in fpath. The verb needs the Python package
shtab: pip install shtab.
"""

from __future__ import annotations

import argparse
from importlib import import_module
from typing import Any

from vkrunner import MissingError
from vkrunner.cli.output import write_text
from vkrunner.cli.parser import VERBS, make_parser

_SHELLS = ("bash", "zsh", "tcsh")
_FOLDERS = ("DIR", "FOLDER")
_FILES = ("IN", "A", "B", "OUT", "FILE", "PATH", "JSON", "XML", "FILE[#NAME]")


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", metavar="SHELL", choices=_SHELLS, help=", ".join(_SHELLS))


def run(arguments: argparse.Namespace) -> int:
    try:
        shtab: Any = import_module("shtab")
    except ImportError:
        raise MissingError("completion needs the Python package shtab: pip install shtab") from None
    parser = make_parser(*VERBS)
    for verb in parser.by_verb.values():
        _complete_paths(verb, shtab)
    write_text(shtab.complete(parser, arguments.shell), None)
    return 0


def _complete_paths(parser: argparse.ArgumentParser, shtab: Any) -> None:
    """Let the shell complete values that are files or folders; their metavar in --help tells."""
    for action in parser._actions:  # pyright: ignore[reportPrivateUsage]
        if action.metavar in _FILES:
            action.complete = shtab.FILE  # type: ignore[attr-defined]
        elif action.metavar in _FOLDERS:
            action.complete = shtab.DIRECTORY  # type: ignore[attr-defined]
