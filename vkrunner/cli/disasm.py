"""`sm5vk disasm`: a container to its listing."""

from __future__ import annotations

import argparse

import translate
from vkrunner.cli.output import write_text
from vkrunner.cli.source import load_program


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("source", metavar="IN", help="a DXBC container, - for standard input")
    parser.add_argument(
        "--header",
        action="store_true",
        help="print fxc's comments too (buffers, bindings), from which asm makes the names again",
    )
    parser.add_argument("-o", "--output", metavar="OUT", help="the file; standard output without")


def run(arguments: argparse.Namespace) -> int:
    text = translate.disassemble(load_program(arguments.source), header=arguments.header)
    write_text(text if text.endswith("\n") else f"{text}\n", arguments.output)
    return 0
