"""`sm5vk translate`: a shader to SPIR-V, and to the interface that says how to bind it.

With --output-dir many shaders: files, folders (every DXBC container below them, whatever it is
called) and patterns in quotes ('cache/**/*.cso'). DIR/a/b.dxbc gives OUT/a/b.dxbc.spv. Equal
shaders are translated once. What is done already is kept, so an interrupted run is continued by
the same command. The exit code is 1 when a shader was refused.
"""

from __future__ import annotations

import argparse

import translate
from vkrunner.cli import bulk
from vkrunner.cli.output import STDOUT, write_all
from vkrunner.cli.source import open_shader, warn
from vkrunner.errors import ArgumentError


def configure(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "sources",
        metavar="IN",
        nargs="+",
        help="a DXBC container or a listing, - for standard input",
    )
    add("-o", "--output", metavar="OUT", default=STDOUT, help="the file; standard output without")
    add_translation_options(parser)
    add(
        "--bind",
        metavar="REG=SET:BINDING",
        action="append",
        default=[],
        help="where a register's descriptor goes, for instance t0=0:3; again for each register",
    )
    add(
        "--size-tables",
        metavar="WHICH",
        default="none",
        help="arrays whose buffers' sizes come from tables that the host binds, for drivers that"
        " get them wrong: none (default), non_uniform, dynamic",
    )
    add("--interface", metavar="JSON", help="write the interface there")
    add("-S", "--text", action="store_true", help="SPIR-V assembly instead of the binary")
    bulk.configure(parser.add_argument_group("many shaders"))


def add_translation_options(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    """The options that every verb which translates has."""
    return [
        parser.add_argument(
            "--guards",
            metavar="MODE",
            default="d3d",
            help="d3d (default): explicit checks; report: the same, and every breach is told;"
            " robustness2: rely on the device; off: none",
        ),
        parser.add_argument(
            "--target", metavar="ENV", default="vulkan1.1", help="vulkan1.1 (default) to vulkan1.3"
        ),
    ]


def run(arguments: argparse.Namespace) -> int:
    if arguments.output_dir is not None:
        return bulk.run(arguments)
    sources: list[str] = arguments.sources
    bulk.refuse(arguments)
    bindings = dict(_bind(text) for text in arguments.bind)
    options = translate.Options(
        guards=arguments.guards,
        target=arguments.target,
        bindings=bindings,
        size_tables=arguments.size_tables,
    )
    if arguments.interface == arguments.output:
        raise ArgumentError("the module and the interface cannot both go to the same place")
    made = open_shader(sources[0]).translation(options)
    warn(made.warnings)
    data = made.module.text().encode() if arguments.text else made.to_bytes()
    contents = {arguments.output: data}
    if arguments.interface is not None:
        contents[arguments.interface] = f"{made.module.interface.to_json()}\n".encode()
    write_all(contents, binary=not arguments.text and arguments.output == STDOUT)
    return 0


def _bind(text: str) -> tuple[str, tuple[int, int]]:
    register, equals, place = text.partition("=")
    numbers = place.split(":")
    if not (register and equals) or len(numbers) != 2 or not all(n.isdecimal() for n in numbers):
        raise ArgumentError(f"--bind takes REG=SET:BINDING, for instance t0=0:3, not {text!r}")
    return register, (int(numbers[0]), int(numbers[1]))
