"""`sm5vk translate`: translates a shader to SPIR-V, with the interface for binding it.

With --output-dir it translates many shaders: files, folders (every DXBC container and listing below
them, of any name) and patterns in quotes ('cache/**/*.cso'). DIR/a/b.dxbc gives OUT/a/b.dxbc.spv.
Other files are searched for containers, as by `sm5vk extract`. Equal shaders are translated once.
Finished modules are kept, so the same command continues an interrupted run. The exit code is 1 if a
shader was refused or damaged.
"""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import translate
from vkrunner import InvalidValueError
from vkrunner.cli import bulk
from vkrunner.cli.output import STDOUT, inert_json, write_all, write_message
from vkrunner.cli.parser import UsageError
from vkrunner.cli.source import (
    SOURCE,
    STDIN,
    add_hlsl_options,
    hlsl_options,
    load_program,
    named_errors,
    open_shader,
    read_text,
    report,
)
from vkrunner.cli.translation_flags import (
    add_device_options,
    add_translation_options,
    check_runs,
    options_of,
    target_device,
    translation_options,
)

if TYPE_CHECKING:
    from translate import ShaderInterface
    from vkrunner import Device, DeviceInfo
    from vkrunner.shader.shader import Shader

# Characters of make, and of the shell in its built-in rules for files and members of archives
_OF_MAKE = re.compile(r"""[;=|:&<>\\'"`*?\[\]\x00-\x1f\x7f]|\$[({]|\)$""")


def configure(parser: argparse.ArgumentParser) -> None:
    parser.usage = "sm5vk translate IN [-o OUT] [options]; see sm5vk translate --help"
    add = parser.add_argument
    add("sources", metavar="IN", nargs="+", help=SOURCE)
    add("-o", "--output", metavar="OUT", default=STDOUT, help="the file (default: standard output)")
    add_translation_options(parser)
    add_device_options(parser)
    add_hlsl_options(parser)
    add("--interface", metavar="JSON", help="also write the interface to this file")
    add(
        "--depfile",
        metavar="D",
        help="also write, for make or Ninja, the files that OUT depends on",
    )
    add("-S", "--text", action="store_true", help="SPIR-V assembly instead of the binary")
    developer = parser.add_argument_group("developing the compiler")
    developer.add_argument(
        "--dump-ir",
        metavar="PASS",
        nargs="?",
        const="",
        help="write the IR instead: after the pass of this name, or after the last pass",
    )
    developer.add_argument(
        "--from-ir",
        action="store_true",
        help="IN is IR from --dump-ir: continue after the pass that it names",
    )
    bulk.configure(parser.add_argument_group("many shaders"))


def run(arguments: argparse.Namespace) -> int:
    given = translation_options(arguments)
    _check(arguments)
    with target_device(arguments) as device:
        if arguments.output_dir is not None:
            return bulk.run(arguments, options_of(given, device), device)
        if arguments.dump_ir is not None:
            return _dump(arguments, options_of(given, device))
        if arguments.from_ir:
            return _go_on(arguments, options_of(given, device), device)
        return _translate(arguments, given, device)


def _check(arguments: argparse.Namespace) -> None:
    """Raise UsageError for options that exclude each other."""
    if arguments.output_dir is None:
        bulk.refuse(arguments)
        if arguments.depfile is not None and (arguments.output == STDOUT or arguments.dump_ir):
            raise UsageError("--depfile goes with -o")
        if arguments.depfile is not None and arguments.from_ir:
            raise UsageError("--depfile is for shaders: an IR names no files")
        if arguments.interface == arguments.output:
            raise UsageError("the module and the interface cannot both go to the same place")
        if arguments.depfile in {arguments.output, arguments.interface} - {None}:
            raise UsageError("--depfile needs a file of its own")
    elif arguments.depfile is not None:
        raise UsageError("--depfile is for one shader, without --output-dir")
    elif arguments.dump_ir is not None or arguments.from_ir:
        raise UsageError("the IR is that of one shader, without --output-dir")
    elif hlsl_options(arguments) is not None:
        raise UsageError("HLSL is compiled and translated one by one, without --output-dir")


def _translate(
    arguments: argparse.Namespace, given: dict[str, Any], device: Device | DeviceInfo | None
) -> int:
    source: str = arguments.sources[0]
    shader = open_shader(arguments, source)
    with named_errors(source):
        made = shader.translation(options_of(given, device, shader))
        report(shader, in_a_build=arguments.depfile is not None)
        if device is not None:
            check_runs(device, made.module.interface)
    data = made.module.text().encode() if arguments.text else made.to_bytes()
    return _write(arguments, data, lambda: made.module.interface, _depfile(arguments, shader))


def _depfile(arguments: argparse.Namespace, shader: Shader) -> dict[str, bytes]:
    """The contents of `--depfile` by its name: a rule for the output, without commands."""
    if arguments.depfile is None:
        return {}
    included, unknown = shader.included
    if unknown:
        write_message(f"sm5vk: warning: {arguments.depfile} may lack files, since {unknown}")
    source: str = arguments.sources[0]
    files = included if source == STDIN else [source, *included]
    rule = " ".join([f"{_for_make(arguments.output)}:", *map(_for_make, dict.fromkeys(files))])
    return {arguments.depfile: f"{rule}\n".encode("utf-8", "surrogateescape")}


def _for_make(name: str) -> str:
    """A file name as make and Ninja read it.

    Raises ArgumentError for characters by which it would be a command, a variable or a pattern.
    """
    if os.name == "nt":
        drive, name = os.path.splitdrive(name.replace("\\", "/"))
    else:
        drive = ""
    if _OF_MAKE.search(name):
        raise InvalidValueError(f"a depfile cannot name {name!r}")
    return drive + re.sub("([ #])", r"\\\1", name).replace("$", "$$")


def _write(
    arguments: argparse.Namespace,
    data: bytes,
    interface: Callable[[], ShaderInterface],
    more: Mapping[str, bytes] | None = None,
) -> int:
    """Write a module, and its interface if requested. A cached module is not unpacked for this."""
    contents = {arguments.output: data, **(more or {})}
    if arguments.interface is not None:
        contents[arguments.interface] = inert_json(interface().to_json()).encode()
    write_all(contents, binary=not arguments.text and arguments.output == STDOUT)
    return 0


def _dump(arguments: argparse.Namespace, options: translate.Options) -> int:
    """Write the IR of a shader."""
    from translate.dump import dump_ir  # imported here, so that other verbs start faster

    if arguments.from_ir or arguments.text or arguments.interface is not None:
        raise UsageError("--dump-ir writes nothing but the IR of a shader")
    program = load_program(arguments, arguments.sources[0])
    text = dump_ir(program, options, arguments.dump_ir or None)
    write_all({arguments.output: text.encode()}, binary=False)
    return 0


def _go_on(
    arguments: argparse.Namespace, options: translate.Options, device: Device | DeviceInfo | None
) -> int:
    """Continue a translation from the IR."""
    from translate.dump import translate_ir

    source: str = arguments.sources[0]
    module = translate_ir(read_text(source, "IR"), options, source)
    with named_errors(source):
        check_runs(device, module.interface)
    data = module.text().encode() if arguments.text else module.to_bytes()
    return _write(arguments, data, lambda: module.interface)
