"""`sm5vk translate`: translates a shader to SPIR-V, with the interface for binding it.

With --output-dir many shaders: files, folders (every DXBC container and listing below them, of any
name) and patterns in quotes ('cache/**/*.cso'). DIR/a/b.dxbc gives OUT/a/b.dxbc.spv. A file of
another kind is searched for containers, as by `sm5vk extract`. Equal shaders are translated once.
Finished modules are kept, so an interrupted run is continued by the same command. The exit code is
1 when a shader was refused or damaged.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import translate
from translate.options import GUARDS, MAX_INLINED, MAX_WORDS
from vkrunner import ArgumentError
from vkrunner.cli import bulk
from vkrunner.cli.output import STDOUT, write_all
from vkrunner.cli.source import (
    SOURCE,
    add_hlsl_options,
    add_strict,
    hlsl_options,
    load_program,
    open_shader,
    read_text,
    report,
)

if TYPE_CHECKING:
    from translate import ShaderInterface

_COMMON = ("guards", "target", "strict", "max_inlined", "max_instructions", "max_words")


def configure(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("sources", metavar="IN", nargs="+", help=SOURCE)
    add("-o", "--output", metavar="OUT", default=STDOUT, help="the file; standard output without")
    add_translation_options(parser)
    add_hlsl_options(parser)
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
    developer = parser.add_argument_group("developing the compiler")
    developer.add_argument(
        "--dump-ir",
        metavar="PASS",
        nargs="?",
        const="",
        help="write the IR instead, after the pass of that name, or after the last one",
    )
    developer.add_argument(
        "--from-ir",
        action="store_true",
        help="IN is the IR as --dump-ir writes it: go on after the pass that it names",
    )
    bulk.configure(parser.add_argument_group("many shaders"))


def add_translation_options(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    """The options that every verb which translates has."""
    return [
        parser.add_argument(
            "--guards",
            metavar="MODE",
            default="d3d",
            help="; ".join(f"{name}: {what}" for name, what in GUARDS.items()) + " (default: d3d)",
        ),
        parser.add_argument(
            "--target", metavar="ENV", default="vulkan1.1", help="vulkan1.1 (default) to vulkan1.3"
        ),
        add_strict(parser),
        *_add_limits(parser),
    ]


def _add_limits(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    """How large a shader may become."""
    group = parser.add_argument_group("limits")
    return [
        group.add_argument(
            "--max-inlined",
            metavar="N",
            type=int,
            default=MAX_INLINED,
            help="operations that copies of subroutines may add; beyond it a loop calls them"
            f" ({MAX_INLINED})",
        ),
        group.add_argument(
            "--max-instructions",
            metavar="N",
            type=int,
            help="operations that the shader may become (64 for each instruction, and 200000)",
        ),
        group.add_argument(
            "--max-words",
            metavar="N",
            type=int,
            default=MAX_WORDS,
            help=f"words of SPIR-V that the shader may become ({MAX_WORDS})",
        ),
    ]


def translation_options(arguments: argparse.Namespace) -> dict[str, Any]:
    """What `add_translation_options` added, by the names that `Options` has for it."""
    return {name: getattr(arguments, name) for name in _COMMON}


def run(arguments: argparse.Namespace) -> int:
    options = translate.Options(
        **translation_options(arguments),
        bindings=dict(_bind(text) for text in arguments.bind),
        size_tables=arguments.size_tables,
    )
    if arguments.output_dir is not None:
        if arguments.dump_ir is not None or arguments.from_ir:
            raise ArgumentError("the IR is that of one shader, without --output-dir")
        if hlsl_options(arguments) is not None:
            raise ArgumentError("HLSL is compiled and translated one by one, without --output-dir")
        return bulk.run(arguments, options)
    bulk.refuse(arguments)
    if arguments.interface == arguments.output:
        raise ArgumentError("the module and the interface cannot both go to the same place")
    source: str = arguments.sources[0]
    if arguments.dump_ir is not None:
        return _dump(arguments, source, options)
    if arguments.from_ir:
        return _go_on(arguments, source, options)
    shader = open_shader(arguments, source)
    made = shader.translation(options)
    report(shader)
    data = made.module.text().encode() if arguments.text else made.to_bytes()
    return _write(arguments, data, lambda: made.module.interface)


def _write(
    arguments: argparse.Namespace, data: bytes, interface: Callable[[], ShaderInterface]
) -> int:
    """Write a module, and its interface if asked for: a cached module is not unpacked for it."""
    contents = {arguments.output: data}
    if arguments.interface is not None:
        contents[arguments.interface] = f"{interface().to_json()}\n".encode()
    write_all(contents, binary=not arguments.text and arguments.output == STDOUT)
    return 0


def _dump(arguments: argparse.Namespace, source: str, options: translate.Options) -> int:
    """Write the IR of a shader."""
    from translate.dump import dump_ir  # here, for other verbs start without the compiler

    if arguments.from_ir or arguments.text or arguments.interface is not None:
        raise ArgumentError("--dump-ir writes nothing but the IR of a shader")
    program = load_program(arguments, source)
    text = dump_ir(program, options, arguments.dump_ir or None)
    write_all({arguments.output: text.encode()}, binary=False)
    return 0


def _go_on(arguments: argparse.Namespace, source: str, options: translate.Options) -> int:
    """Translate from the IR on."""
    from translate.dump import translate_ir

    module = translate_ir(read_text(source, "IR"), options, source)
    data = module.text().encode() if arguments.text else module.to_bytes()
    return _write(arguments, data, lambda: module.interface)


def _bind(text: str) -> tuple[str, tuple[int, int]]:
    register, equals, place = text.partition("=")
    numbers = place.split(":")
    if not (register and equals) or len(numbers) != 2 or not all(n.isdecimal() for n in numbers):
        raise ArgumentError(f"--bind takes REG=SET:BINDING, for instance t0=0:3, not {text!r}")
    return register, (int(numbers[0]), int(numbers[1]))
