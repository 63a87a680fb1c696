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
from pathlib import Path
from typing import TYPE_CHECKING, Any

import translate
from translate.dataclass import dataclass
from vkrunner import FeatureError, InvalidValueError, LimitError
from vkrunner.cli.output import (
    STDOUT,
    inert_json,
    output_folder,
    write_all,
    write_json,
    write_lines,
    write_message,
)
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
    info_of,
    options_of,
    refuse_for_many,
    target_device,
    translation_options,
)

if TYPE_CHECKING:
    from translate import ShaderInterface
    from translate.bulk import Note, Report, Row
    from vkrunner import Device, DeviceInfo
    from vkrunner.shader.shader import Shader

# Characters of make, and of the shell in its built-in rules for files and members of archives;
# beginnings of homes and libraries; special targets
_OF_MAKE = re.compile(r"""[;=|:&<>\\'"`*?\[\]\x00-\x1f\x7f]|\$[({]|\)$|^~|^-l|^\.[A-Z_]+$""")
_MOST_REASONS = 20  # reasons in the summary
_OPTIONS_FOR_MANY = ("interfaces", "jobs", "dask", "force", "json")


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
    _add_options_for_many(parser.add_argument_group("many shaders"))


def run(arguments: argparse.Namespace) -> int:
    given = translation_options(arguments)
    _check(arguments)
    with target_device(arguments) as device:
        if arguments.output_dir is not None:
            return _run_many(arguments, options_of(given, device), device)
        if arguments.dump_ir is not None:
            return _dump(arguments, options_of(given, device))
        if arguments.from_ir:
            return _go_on(arguments, options_of(given, device), device)
        return _translate(arguments, given, device)


def _check(arguments: argparse.Namespace) -> None:
    """Raise UsageError for options that exclude each other."""
    if arguments.output_dir is None:
        _refuse_many(arguments)
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
        report(shader, arguments, in_a_build=arguments.depfile is not None)
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
    target = _for_make(arguments.output)
    if "%" in target:
        raise _refused_by_make(target)
    rule = " ".join([f"{target}:", *map(_for_make, dict.fromkeys(files))])
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
        raise _refused_by_make(name)
    return drive + re.sub("([ #])", r"\\\1", name).replace("$", "$$")


def _refused_by_make(name: str) -> InvalidValueError:
    return InvalidValueError(f"a depfile cannot name {name!r}")


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
    from translate.explanation import dump_ir

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
    from translate.explanation import translate_ir

    source: str = arguments.sources[0]
    module = translate_ir(read_text(source, "IR"), options, source)
    with named_errors(source):
        check_runs(device, module.interface)
    data = module.text().encode() if arguments.text else module.to_bytes()
    return _write(arguments, data, lambda: module.interface)


def _add_options_for_many(group: argparse._ArgumentGroup) -> None:  # pyright: ignore[reportPrivateUsage]
    add = group.add_argument
    add(
        "--output-dir",
        metavar="DIR",
        type=output_folder,
        help="the folder for the modules, and for a manifest",
    )
    add("--interfaces", action="store_true", help="write each interface too, as NAME.json")
    add("-j", "--jobs", metavar="N", type=int, help="processes (default: one for each CPU)")
    add("--dask", metavar="ADDRESS", help="use the Dask cluster with this scheduler instead")
    add("--force", action="store_true", help="also translate shaders that are up to date")
    add("--json", action="store_true", help="print the outcome of each shader as JSON")


def _refuse_many(arguments: argparse.Namespace) -> None:
    """Raise UsageError for many shaders, or options for them, without --output-dir."""
    sources: list[str] = arguments.sources
    if len(sources) > 1:
        raise UsageError("more than one shader goes with --output-dir")
    if os.path.isdir(sources[0]):
        raise UsageError(f"{sources[0]} is a folder, whose shaders go with --output-dir")
    for option in _OPTIONS_FOR_MANY:
        value = getattr(arguments, option)
        if value is not None and value is not False:
            raise UsageError(f"--{option} goes with --output-dir")


@dataclass(frozen=True)
class RunsOn:
    """The check of a recipe that a device can run the modules."""

    info: DeviceInfo

    def __call__(self, interface: translate.ShaderInterface) -> None:
        """Raise UnsupportedError for a module that the device cannot run."""
        try:
            check_runs(self.info, interface, alone=False)
        except (FeatureError, LimitError) as error:
            raise translate.UnsupportedError(str(error)) from None


def _run_many(
    arguments: argparse.Namespace, options: translate.Options, device: Device | DeviceInfo | None
) -> int:
    # imported here, so that other verbs start faster
    from tqdm import tqdm

    from translate.bulk import Recipe, find_inputs, translate_files
    from translate.child import safe_path

    _check_many(arguments)
    damaged: list[Note] = []
    inputs = find_inputs(arguments.sources, damaged.append)
    check = RunsOn(info_of(device)) if device is not None else None
    recipe = Recipe(options, text=arguments.text, interfaces=arguments.interfaces, check=check)
    with safe_path():  # since Python 3.14 its lock starts a process
        shown = tqdm(total=len(inputs), unit="shader", disable=None, leave=False)
    with shown as bar:

        def progress(row: Row) -> None:
            bar.update()

        report = translate_files(
            inputs,
            Path(arguments.output_dir),
            recipe,
            processes=arguments.jobs or _usable_cpus(),
            cluster=arguments.dask,
            force=arguments.force,
            whole=[source for source in arguments.sources if os.path.isdir(source)],
            progress=progress,
        )
    for note in damaged:
        write_message(str(note))
    for row in report.rows:
        for text in (*row.warnings, *([row.message] if row.message is not None else ())):
            write_message(text)
    if arguments.json:
        write_json(report.to_dict())
    else:
        write_lines(_summary(report))
    return 1 if report.refused or damaged else 0


def _check_many(arguments: argparse.Namespace) -> None:
    if arguments.output != STDOUT:
        raise UsageError("-o and --output-dir do not go together")
    if arguments.interface is not None:
        raise UsageError("--interface is for one shader; --interfaces writes them all")
    refuse_for_many(arguments)
    if arguments.jobs is not None and arguments.jobs < 1:
        raise UsageError(f"-j takes a number of processes, not {arguments.jobs}")


def _usable_cpus() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _summary(report: Report) -> list[str]:
    """A table of counts, and the reasons of refusals."""
    kept = sum(row.kept for row in report.rows)
    same = sum(row.same_as is not None for row in report.rows)
    rows = [
        ("translated", f"{report.translated:,}"),
        ("refused", f"{len(report.refused):,}"),
        ("  as before", f"{kept:,}"),  # translated or refused by an earlier run
        ("  copies", f"{same:,}"),
        ("warnings", f"{len(report.warnings):,}"),
        ("outputs removed", f"{len(report.removed):,}"),
        ("outputs left", f"{len(report.left):,}"),
        ("words", f"{report.words:,}"),
        ("seconds", f"{report.seconds:,.1f}"),
    ]
    lines = [f"{name:<16}{figure:>14}" for name, figure in rows]
    reasons = report.reasons()
    if reasons:
        lines += ["", "refused because"]
        lines += [f"{count:>7,}  {reason}" for reason, count in reasons[:_MOST_REASONS]]
    if len(reasons) > _MOST_REASONS:
        lines.append(f"and for {len(reasons) - _MOST_REASONS:,} more reasons, which --json has")
    return lines
