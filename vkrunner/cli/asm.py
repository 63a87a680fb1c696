"""`sm5vk asm`: a listing to a container."""

from __future__ import annotations

import argparse
import dataclasses

import translate
from vkrunner.cli.output import STDOUT, write_all
from vkrunner.cli.source import STDIN, read_text


def configure(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("source", metavar="IN", help="a listing, - for standard input")
    add("-o", "--output", metavar="OUT", default=STDOUT, help="the file; standard output without")


def run(arguments: argparse.Namespace) -> int:
    source: str = arguments.source
    try:
        container = translate.assemble(read_text(source, "a listing"))
    except translate.TranslateError as error:
        if source != STDIN and error.where.file is None:
            error.where = dataclasses.replace(error.where, file=source)
        raise
    write_all({arguments.output: container})
    return 0
