"""The pages of the API reference: one for each class, and an index of errors.

`docs/api/PACKAGE.md` is the first page of a package; its line `::: PACKAGE` becomes lists of the
functions, classes and type aliases that the package exports.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from importlib import import_module
from typing import Any

PACKAGES = ("translate", "vkrunner")
_WHOLE = re.compile(r"^::: (translate|vkrunner)\n(?:    .*\n)+", re.MULTILINE)
_ANCHOR = re.compile(r"\]\(#((?:translate|vkrunner)\.[\w.]+)\)")
_PAGE = "::: {name}\n    options:\n      heading_level: 1\n"


def class_pages() -> dict[str, str]:
    """The page of each class that is no exception: its path and its Markdown."""
    return {
        f"api/{package}/{name}.md": _PAGE.format(name=f"{package}.{name}")
        for package in PACKAGES
        for name, _ in _classes(package)
    }


def errors_page() -> str:
    """All exceptions, each with the sentence that says when it is raised, then their members."""
    parts = [
        "# Errors\n\nEvery error of `translate` is a `TranslateError`, every error of `vkrunner` a"
        " `RunnerError`; a path that cannot be read gives Python's `OSError`. A program tells"
        " mistakes apart by class and attributes, which stay; the wording of messages changes"
        " between versions. The command line prints an error as one line, and ends with the exit"
        " code of the table."
    ]
    for package in PACKAGES:
        rows = [_error_row(package, name, found) for name, found in _errors(package)]
        head = "| error | | is a | exit code |\n|---|---|---|---|\n"
        parts.append(f"## {package}\n\n{head}" + "\n".join(rows))
        parts += [_shown(package, name, 3) for name, _ in _errors(package)]
    return "\n\n".join(parts) + "\n"


def expand(markdown: str) -> str:
    """A package's first page with its lists, and with links to the pages of its classes."""
    return _ANCHOR.sub(r"][\1]", _WHOLE.sub(lambda match: _lists(match[1]), markdown))


def navigation() -> list[dict[str, Any]]:
    """The pages' place in the site's navigation."""
    found: list[dict[str, Any]] = []
    for package in PACKAGES:
        pages = [{name: f"api/{package}/{name}.md"} for name, _ in _classes(package)]
        found.append({package: [f"api/{package}.md", *pages]})
    return [*found, {"Errors": "api/errors.md"}]


def _lists(package: str) -> str:
    parts = ["## Functions", *(_shown(package, name, 3) for name in _functions(package))]
    parts.append("## Classes\n\n| | |\n|---|---|")
    parts[-1] += "".join(
        f"\n| [`{name}`][{package}.{name}] | {_first_line(found)} |"
        for name, found in _classes(package)
    )
    parts.append("The exceptions are on the page [Errors](errors.md).")
    parts += ["## Type aliases", *(_shown(package, name, 3) for name in _aliases(package))]
    return "\n\n".join(parts) + "\n"


def _shown(package: str, name: str, level: int) -> str:
    return f"::: {package}.{name}\n    options:\n      heading_level: {level}"


def _error_row(package: str, name: str, found: type) -> str:
    bases = ", ".join(f"`{base.__name__}`" for base in found.__bases__)
    code = getattr(found, "exit_code", 2) if issubclass(found, Exception) else ""
    code = "" if issubclass(found, Warning) else code
    return f"| [`{name}`][{package}.{name}] | {_first_line(found)} | {bases} | {code} |"


def _exported(package: str) -> Iterator[tuple[str, Any]]:
    module = import_module(package)
    yield from ((name, getattr(module, name)) for name in module.__all__)


def _classes(package: str) -> list[tuple[str, type]]:
    found = [(n, o) for n, o in _exported(package) if inspect.isclass(o)]
    return [(name, each) for name, each in found if not issubclass(each, BaseException)]


def _errors(package: str) -> list[tuple[str, type]]:
    found = [(n, o) for n, o in _exported(package) if inspect.isclass(o)]
    return [(name, each) for name, each in found if issubclass(each, BaseException)]


def _functions(package: str) -> list[str]:
    return [name for name, found in _exported(package) if inspect.isroutine(found)]


def _aliases(package: str) -> list[str]:
    others = {name for name, found in _exported(package) if inspect.isclass(found)}
    others.update(_functions(package))
    return [name for name, _ in _exported(package) if name not in others]


def _first_line(found: type) -> str:
    return (inspect.getdoc(found) or "").split("\n\n")[0].replace("\n", " ").replace("|", "\\|")
