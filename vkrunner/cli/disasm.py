"""`sm5vk disasm`: prints the listing of a container, which asm reads as the same instructions."""

from __future__ import annotations

import argparse
from shlex import quote

import translate
from vkrunner.cli.output import STDOUT, write_json, write_message, write_text
from vkrunner.cli.parser import UsageError
from vkrunner.cli.source import (
    SOURCE,
    add_hlsl_options,
    open_shader,
    report,
    shader_facts,
    warning_lines,
)


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("source", metavar="IN", help=SOURCE)
    parser.add_argument(
        "--header",
        action="store_true",
        help="print fxc's comments too (buffers, bindings); asm reads the names from them",
    )
    parser.add_argument(
        "--numbers", action="store_true", help="number the instructions as reports do (fxc's /Ni)"
    )
    literals = parser.add_mutually_exclusive_group()
    literals.add_argument(
        "--as-fxc",
        action="store_true",
        help="print floats as fxc does, rounded to six digits after the point",
    )
    literals.add_argument(
        "--hex", action="store_true", help="print the bits of immediate numbers (fxc's /Lx)"
    )
    parser.add_argument("-o", "--output", metavar="OUT", help="the file (default: standard output)")
    parser.add_argument(
        "--json", action="store_true", help="print facts as JSON, with the listing unless -o has it"
    )
    add_hlsl_options(parser)


def run(arguments: argparse.Namespace) -> int:
    shader = open_shader(arguments, arguments.source)
    program = shader.program
    report(shader, arguments)
    text = translate.disassemble(
        program,
        header=arguments.header,
        numbers=arguments.numbers,
        hexadecimal=arguments.hex,
        exact=not arguments.as_fxc,
    )
    text = text if text.endswith("\n") else f"{text}\n"
    if program.root_signature is not None:
        write_message(
            "sm5vk: the listing lacks the root signature with its static samplers:"
            f" sm5vk asm --into {quote(arguments.source)} keeps it"
        )
    output: str | None = arguments.output
    if arguments.json and output == STDOUT:
        raise UsageError("--json has the listing: leave out -o -")
    if not arguments.json or output is not None:
        write_text(text, output)
    if arguments.json:
        listing = {"output": output} if output is not None else {"listing": text}
        facts = {**shader_facts(program, shader.data), "compiler": shader.compiler}
        write_json({**facts, "warnings": warning_lines(program), **listing})
    return 0
