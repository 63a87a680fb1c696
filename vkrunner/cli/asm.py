"""`sm5vk asm`: a listing, or HLSL, to a container."""

from __future__ import annotations

import argparse

import translate
from vkrunner.cli.output import STDOUT, write_all
from vkrunner.cli.source import STDIN, add_hlsl_options, add_strict, decode, open_shader, report


def configure(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("source", metavar="IN", help="a listing or HLSL, - for standard input")
    add("-o", "--output", metavar="OUT", default=STDOUT, help="the file; standard output without")
    add_strict(parser)
    add_hlsl_options(parser)


def run(arguments: argparse.Namespace) -> int:
    source: str = arguments.source
    shader = open_shader(arguments, source)
    container = shader.data
    if not shader.is_hlsl:
        file = None if source == STDIN else source
        text = decode(source, shader.data, "a listing")
        container = translate.assemble(text, file=file, strict=arguments.strict)
    report(shader)
    write_all({arguments.output: container})
    return 0
