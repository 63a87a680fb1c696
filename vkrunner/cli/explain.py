"""`sm5vk explain`: writes a page that shows a shader's code in all its forms, and its guards."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

import translate
from vkrunner import MissingError
from vkrunner.cli.output import write_text
from vkrunner.cli.source import SOURCE, STDIN, add_hlsl_options, open_shader, report
from vkrunner.cli.translation_flags import (
    add_device_options,
    add_translation_options,
    options_of,
    target_device,
    translation_options,
)
from vkrunner.report.html import missing_package

if TYPE_CHECKING:
    from collections.abc import Sequence

    from translate import Explanation, SpirvModule
    from vkrunner.report.explanation import MachineCode, Section


def configure(parser: argparse.ArgumentParser) -> None:
    parser.usage = "sm5vk explain IN -o PAGE.html [options]; see sm5vk explain --help"
    parser.add_argument("source", metavar="IN", help=SOURCE)
    parser.add_argument(
        "-o", "--output", metavar="PAGE", required=True, help="the HTML file; - for standard output"
    )
    parser.add_argument(
        "--gpu",
        "--amd",
        metavar="NAME",
        help="show the machine code for a GPU too: NAVI21 or another family of AMD's, GA102,"
        " ADRENO740 or M1; this needs Mesa's driver for it (from Mesa 26 on, except for"
        " AMD's), and no GPU",
    )
    add_translation_options(parser)
    add_device_options(parser)
    add_hlsl_options(parser)


def run(arguments: argparse.Namespace) -> int:
    source: str = arguments.source
    check_packages()
    shader = open_shader(arguments, source)
    shader.shows_lines = True
    given = translation_options(arguments)
    program = shader.read(strict=bool(arguments.strict))
    report(shader, arguments)
    with target_device(arguments) as device:
        explained = translate.explain(program, options_of(given, device, shader))
    code = _machine_code(explained.module, arguments.gpu) if arguments.gpu else None
    write_page(arguments.output, explained, title_of(source), code=code)
    return 0


def check_packages() -> None:
    """Raise ArgumentError if a Python package that pages need is not installed."""
    if (missing := missing_package()) is not None:
        raise MissingError(missing)


def title_of(source: str) -> str:
    """The page's title: the name of the shader's file."""
    return "standard input" if source == STDIN else Path(source).name


def write_page(
    target: str,
    explained: Explanation,
    title: str,
    sections: Sequence[Section] = (),
    code: MachineCode | None = None,
) -> None:
    """Write the page, with sections before the shader's own, and with a GPU's code."""
    from vkrunner.report.explanation import explanation_page

    page = explanation_page(explained, title, sections, code)
    write_text(page, target)


def _machine_code(module: SpirvModule, gpu: str) -> MachineCode:
    from vkrunner.api.gpu_code import gpu_code  # only if needed
    from vkrunner.report.explanation import MachineCode

    found = gpu_code(module, gpu)
    statistics = {n: value for n, value in found.statistics.items() if "hash" not in n.lower()}
    return MachineCode(f"Code for {gpu}, {found.driver}", found.lines, statistics)
