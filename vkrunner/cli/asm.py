"""`sm5vk asm`: assembles a listing, or compiles HLSL, to a container."""

from __future__ import annotations

import argparse
import warnings

import translate
from translate.dataclass import replace
from translate.errors import escaped
from vkrunner import FileError
from vkrunner.cli.output import STDOUT, write_all, write_json
from vkrunner.cli.parser import UsageError
from vkrunner.cli.source import (
    STDIN,
    add_hlsl_options,
    decode,
    open_shader,
    read_bytes,
    report,
    shader_facts,
    warning_lines,
)
from vkrunner.cli.translation_flags import add_option

_MAGIC = b"DXBC"


def configure(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("source", metavar="IN", help="a listing or HLSL, - for standard input")
    add("-o", "--output", metavar="OUT", default=STDOUT, help="the file (default: standard output)")
    add("--json", action="store_true", help="print facts about the output as JSON; needs -o")
    add("--no-check", dest="check", action="store_false", help="assemble invalid programs too")
    add(
        "--into",
        metavar="CONTAINER",
        help="keep the other chunks of this one, which the listing was printed from (debug "
        "information only if the code is the same)",
    )
    add_option(parser, "strict")
    add_hlsl_options(parser)


def run(arguments: argparse.Namespace) -> int:
    source: str = arguments.source
    if arguments.json and arguments.output == STDOUT:
        raise UsageError("--json prints on standard output: name the container's file by -o")
    shader = open_shader(arguments, source)
    assembled: list[str] | None = None
    container = shader.data
    if not shader.is_hlsl:
        if container.startswith(_MAGIC):
            raise FileError(f"{escaped(source)} is a container: disasm converts it to a listing")
        container, assembled = _assemble(arguments, decode(source, container, "a listing"))
    elif arguments.into is not None:
        raise UsageError("--into is for listings: HLSL has its own root signature")
    report(shader, arguments)
    write_all({arguments.output: container})
    if arguments.json:
        facts = shader_facts(translate.load(container), container)
        warned = warning_lines(shader.program) if assembled is None else assembled
        more = {"compiler": shader.compiler, "warnings": warned}
        write_json({"output": arguments.output, **facts, **more})
    return 0


def _assemble(arguments: argparse.Namespace, text: str) -> tuple[bytes, list[str]]:
    """The container of a listing, and the warnings, which are shown."""
    file = None if arguments.source == STDIN else arguments.source
    into = None if arguments.into is None else read_bytes(arguments.into)
    with warnings.catch_warnings(record=True) as found:
        try:
            container = translate.assemble(
                text, file=file, strict=arguments.strict, check=arguments.check, into=into
            )
        except translate.DecodeError as error:
            error.where = replace(error.where, file=arguments.into)
            raise
    given = [w.message for w in found if isinstance(w.message, translate.ListingWarning)]
    for warning in given:
        warnings.warn(warning, stacklevel=1)
    return container, [f"{w.where}: {w.message}" for w in given]
