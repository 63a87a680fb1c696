"""`sm5vk inspect`: shows a shader's contents and resources, and a command that runs it."""

from __future__ import annotations

import argparse
import re
import shlex
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import translate
from translate import Program, ShaderInterface, TranslateError
from translate.interface import (
    COUNTER,
    SAMPLER,
    TEXTURE,
    TYPED_BUFFER,
    Binding,
    Constant,
)
from vkrunner.binding.registers import FILLED, two_meanings, written
from vkrunner.cli.output import write_json, write_lines
from vkrunner.cli.parser import make_parser
from vkrunner.cli.source import (
    SOURCE,
    STDIN,
    add_hlsl_options,
    hlsl_words,
    open_shader,
    report,
    shader_facts,
    warning_lines,
)
from vkrunner.cli.translation_flags import (
    add_device_options,
    add_translation_options,
    options_of,
    target_device,
    translation_options,
    translation_words,
)
from vkrunner.cli.value_parser import count_numbers
from vkrunner.shader.shader import Shader
from vkrunner.values.texture_layout import dimension_of_name

if TYPE_CHECKING:
    from vkrunner import Device, DeviceInfo

_NAME = re.compile(r"[\w$.\[\]]+", re.ASCII)  # of HLSL or its compiler
_SIDES = {"layers": 6, "samples": 4}  # the length of these axes
_SIDE = 64  # the length of the others, in texels
_COMPONENTS = 4
_MOST_NUMBERS = 64  # of a constant buffer, in a command
_LENGTH = 1024  # of a buffer
_MOST_ELEMENTS = 16  # of a range, in a command: the others are null


def configure(parser: argparse.ArgumentParser) -> None:
    parser.usage = "sm5vk inspect IN [--json] [options]; see sm5vk inspect --help"
    parser.add_argument("source", metavar="IN", help=SOURCE)
    parser.add_argument("--json", action="store_true", help="print it as JSON")
    add_translation_options(parser)
    add_device_options(parser)
    add_hlsl_options(parser)


def run(arguments: argparse.Namespace) -> int:
    source: str = arguments.source
    shader = open_shader(arguments, source)
    given = translation_options(arguments)
    program = shader.read(strict=bool(arguments.strict))
    report(shader, arguments)
    with target_device(arguments) as device:
        interface, refusal = _interface(program, {"validate": False, **given}, device)
    facts = _facts(program, shader.data, interface, refusal) | {"compiler": shader.compiler}
    if arguments.json:
        write_json(facts)
    else:
        words = [*translation_words(arguments), *hlsl_words(arguments)]
        command = command_for(source, interface, words) if interface else ""
        name = "standard input" if source == STDIN else Path(source).name
        write_lines([name, *_lines(facts, interface, command)])
    return 0


def _interface(
    program: Program, given: Mapping[str, Any], device: Device | DeviceInfo | None
) -> tuple[ShaderInterface | None, str | None]:
    """The interface, or the error if the shader cannot be translated."""
    try:
        options = options_of(given, device, Shader(program))
        return translate.to_spirv(program, options).interface, None
    except TranslateError as error:
        is_placed = error.where != translate.Where(program.file)  # the file's name is shown
        return None, str(error) if is_placed else error.message


def _facts(
    program: Program, data: bytes, interface: ShaderInterface | None, refusal: str | None
) -> dict[str, Any]:
    described: dict[str, Any] = interface.to_dict() if interface else {}
    root = program.root_signature
    return {
        **shader_facts(program, data),
        "thread_group": described.get("thread_group"),
        "shared_memory_bytes": described.get("shared_memory_bytes"),
        "features": described.get("features"),
        "resources": described.get("bindings", _reflected(program)),
        "root_signature": [str(p) for p in root.parameters] if root is not None else [],
        "warnings": warning_lines(program),
        "not_translated": refusal,
    }


def _reflected(program: Program) -> list[dict[str, Any]]:
    """Registers and names from RDEF, for a shader that cannot be translated."""
    rows = program.reflection.bindings if program.reflection else ()
    return [{"register": f"{r.register_prefix}{r.bind_point}", "name": r.name} for r in rows]


def _lines(facts: dict[str, Any], interface: ShaderInterface | None, command: str) -> list[str]:
    lines = [f"profile       {facts['profile']}"]
    if interface is not None:
        x, y, z = interface.thread_group
        lines.append(f"thread group  {x} x {y} x {z}")
        lines.append(f"group-shared  {interface.shared_memory_bytes} bytes")
        lines.append(f"needs         {', '.join(interface.features) or 'no feature'}")
    if facts["checksum"] is None:
        lines.append(f"listing       {facts['bytes']} bytes")
    else:
        lines.append(f"container     {facts['bytes']} bytes, checksum: {facts['checksum']}")
        chunks = ", ".join(f"{c['name']} {c['bytes']}" for c in facts["chunks"])
        lines.append(f"chunks        {chunks}")
    if facts["compiler"] is not None:
        lines.append(f"compiled by   {facts['compiler']}")
    counts = f"{facts['instructions']}, and {facts['declarations']} declarations"
    lines.append(f"instructions  {counts}")
    lines += [f"  {count:5d} {name}" for name, count in facts["mnemonics"].items()]
    if facts["root_signature"]:
        lines.append(f"root signature  {'; '.join(facts['root_signature'])}")
    lines.append("resources" if facts["resources"] else "no resources")
    lines += [f"  {_resource_line(row, interface)}" for row in facts["resources"]]
    if interface is not None:
        lines += [f"to run one group of it on zeros{_samplers(interface)}", f"  {command}"]
    if facts["not_translated"] is not None:
        lines.append(f"not translated: {facts['not_translated']}")
    return lines


def _samplers(interface: ShaderInterface) -> str:
    """The samplers that the command leaves at D3D's default, D3D11_SAMPLER_DESC's."""
    names = [
        _key(interface, binding)
        for binding in interface
        if binding.kind == SAMPLER and not (binding.comparison or binding.static_samplers)
    ]
    return f" ({', '.join(names)}: linear, clamp, unless given)" if names else ""


def _resource_line(row: dict[str, Any], interface: ShaderInterface | None) -> str:
    if interface is not None:
        return str(interface[row["register"]])
    return " ".join(part for part in (row["register"], row["name"]) if part)


def command_for(source: str, interface: ShaderInterface, options: Sequence[str] = ()) -> str:
    """An `sm5vk run` command with one group, and zeros for every resource that must be bound.

    Of a long range, it binds the first resources.
    """
    words = ["sm5vk", "run", source, *options, "--groups", "1,1,1"]
    for binding in interface:
        if binding.kind not in (COUNTER, SAMPLER, *FILLED):  # others may be omitted
            words += [
                f"--{_key(interface, binding)}",
                ";".join([_zeros(binding)] * max(min(binding.count, _MOST_ELEMENTS), 1)),
            ]
    return shlex.join(words)


def _key(interface: ShaderInterface, binding: Binding) -> str:
    """The name of the option that binds the resource: its HLSL name, or else its register.

    The register is used if the name is not a plain one, already an option of `sm5vk run`, or the
    register of another resource.
    """
    name = binding.name or ""
    is_plain = _NAME.fullmatch(name) and f"--{name}" not in _options_of_run()
    if is_plain and not two_meanings(interface, name):
        return name
    return written(interface, binding.register)


@cache
def _options_of_run() -> dict[str, argparse.Action]:
    return make_parser("run", alone=True).by_verb["run"].options()


def _zeros(binding: Binding) -> str:
    """The value of `sm5vk run` for a resource of zeros.

    A few constants are written by name, if their names are plain.
    """
    if not binding.has_variables:
        return f"zeros:{'x'.join(map(str, _shape(binding)))}"
    constants = binding.constants or ()
    if not constants or not all(map(_is_plain, constants)):
        return "zeros"
    counts = [*map(count_numbers, constants)]
    if sum(counts) > _MOST_NUMBERS:
        return "zeros"
    numbers = (":".join("0" * count) for count in counts)
    return ",".join(f"{c.name}={zeros}" for c, zeros in zip(constants, numbers, strict=True))


def _shape(binding: Binding) -> list[int]:
    """The axes of an array for a buffer or texture."""
    sides, components = [_LENGTH], 1
    if binding.kind == TEXTURE:
        axes = dimension_of_name(binding.dimension or "").axis_names
        sides = [_SIDES.get(axis, _SIDE) for axis in axes]
    if binding.kind in (TEXTURE, TYPED_BUFFER):
        components = _COMPONENTS if binding.components in (None, 3) else binding.components
    if components == 1 or binding.atomic or binding.comparison:  # these have one component
        return sides
    return [*sides, components]


def _is_plain(constant: Constant) -> bool:
    """Whether HLSL could have such a name."""
    return _NAME.fullmatch(constant.name) is not None
