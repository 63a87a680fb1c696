"""`sm5vk asm`: a listing to a container."""

from __future__ import annotations

import argparse

import translate
from vkrunner.cli.output import STDOUT, write_all
from vkrunner.cli.source import STDIN, add_strict, read_text


def configure(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("source", metavar="IN", help="a listing, - for standard input")
    add("-o", "--output", metavar="OUT", default=STDOUT, help="the file; standard output without")
    add_strict(parser)


def run(arguments: argparse.Namespace) -> int:
    source: str = arguments.source
    file = None if source == STDIN else source
    text = read_text(source, "a listing")
    container = translate.assemble(text, file=file, strict=arguments.strict)
    write_all({arguments.output: container})
    return 0
