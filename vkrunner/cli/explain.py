"""`sm5vk explain`: writes a page that shows a shader's code in all its forms, and its guards."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

import translate
from translate import Explanation
from vkrunner import ArgumentError
from vkrunner.cli.output import write_all
from vkrunner.cli.source import SOURCE, STDIN, add_hlsl_options, open_shader, report
from vkrunner.cli.target_device import add_device_options, options_of, target_device
from vkrunner.cli.translation_flags import add_translation_options, translation_options

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping


def configure(parser: argparse.ArgumentParser) -> None:
    parser.usage = "sm5vk explain IN -o PAGE.html [options]; see sm5vk explain --help"
    parser.add_argument("source", metavar="IN", help=SOURCE)
    parser.add_argument(
        "-o", "--output", metavar="PAGE", required=True, help="the HTML file; - for standard output"
    )
    add_translation_options(parser)
    add_device_options(parser)
    add_hlsl_options(parser)


def run(arguments: argparse.Namespace) -> int:
    source: str = arguments.source
    check_packages()
    shader = open_shader(arguments, source)
    given = translation_options(arguments)
    program = shader.read(strict=bool(arguments.strict))
    report(shader)
    with target_device(arguments) as device:
        explained = translate.explain(program, options_of(given, device, shader))
    write_all({arguments.output: page_of(explained, title_of(source)).encode()}, binary=False)
    return 0


def check_packages() -> None:
    """Raise ArgumentError if a Python package that pages need is not installed."""
    try:
        import jinja2  # pyright: ignore[reportUnusedImport]  # noqa: F401
        import pygments  # pyright: ignore[reportUnusedImport]  # noqa: F401
    except ModuleNotFoundError as error:
        raise ArgumentError(
            f"pages need the package {error.name}: pip install 'sm5vk[explain]'"
        ) from None


def title_of(source: str) -> str:
    """The page's title: the name of the shader's file."""
    return "standard input" if source == STDIN else Path(source).name


def page_of(
    explained: Explanation,
    title: str,
    extra: Mapping[str, Any] | None = None,
    bad: Collection[int] = (),
) -> str:
    """The page as HTML.

    `extra` has further values for its template, `bad` the numbers of instructions with violations.
    """
    from vkrunner.pages.explanation import explanation_page  # needs the extra packages

    return explanation_page(explained, title, extra, bad)
