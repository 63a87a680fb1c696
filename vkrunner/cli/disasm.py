"""`sm5vk disasm`: a container to its listing."""

from __future__ import annotations

import argparse

import translate
from vkrunner.cli.output import write_text
from vkrunner.cli.source import SOURCE, add_hlsl_options, load_program


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("source", metavar="IN", help=SOURCE)
    parser.add_argument(
        "--header",
        action="store_true",
        help="print fxc's comments too (buffers, bindings), from which asm makes the names again",
    )
    parser.add_argument("-o", "--output", metavar="OUT", help="the file; standard output without")
    add_hlsl_options(parser)


def run(arguments: argparse.Namespace) -> int:
    program = load_program(arguments, arguments.source)
    text = translate.disassemble(program, header=arguments.header)
    write_text(text if text.endswith("\n") else f"{text}\n", arguments.output)
    return 0
