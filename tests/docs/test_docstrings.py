"""The docstrings of the public names: complete, in NumPy's format, with examples that run.

Source: https://numpydoc.readthedocs.io/en/latest/format.html.
"""

import doctest
import functools
import importlib
import re
from collections.abc import Iterator
from pathlib import Path

import griffe
import pytest

from .blocks import ROOT

PACKAGES = ("translate", "vkrunner")
_CODE = re.compile(r"^(with .+:|[\w.]+ = .+)$", re.MULTILINE)


@functools.cache
def _load() -> griffe.GriffeLoader:
    """Load both packages. It takes seconds: only tests do it, not the collection."""
    loader = griffe.GriffeLoader(search_paths=[str(ROOT)], docstring_parser="numpy")
    for package in PACKAGES:
        loader.load(package)
    loader.resolve_aliases()
    return loader


def _shown(package: str) -> Iterator[str]:
    """The names on a reference page: those of `:::` lines, for a package those that it exports."""
    page = (ROOT / f"docs/api/{package}.md").read_text(encoding="utf-8")
    for name in re.findall(r"^::: (\S+)", page, re.MULTILINE):
        yield name
        exported = importlib.import_module(package).__all__ if name == package else ()
        yield from (f"{name}.{each}" for each in exported)


SHOWN = {package: [*_shown(package)] for package in PACKAGES}
NAMES = [name for names in SHOWN.values() for name in names]


def _final(found: griffe.Object | griffe.Alias) -> griffe.Object:
    return found.final_target if isinstance(found, griffe.Alias) else found


def _objects(name: str) -> Iterator[griffe.Object]:
    """The object with a name and, for a class, its public methods and properties."""
    found = _final(_load().modules_collection[name])
    yield found
    for member_name, member in found.members.items() if found.is_class else ():
        if member_name.startswith("_") or member.is_alias:
            continue
        if member.is_function or "property" in member.labels:
            yield _final(member)


def _sections(found: griffe.Object) -> dict[str, griffe.DocstringSection]:
    assert found.docstring is not None, f"{found.path} has no docstring"
    return {section.kind.value: section for section in found.docstring.parse("numpy")}


def _rows(found: griffe.Object, section: str) -> list[str]:
    """The names of a section's rows; a row may have several (`start, stop : int`)."""
    given = _sections(found).get(section)
    return [name for row in given.value for name in row.name.split(", ")] if given else []


def _names(function: griffe.Function) -> list[str]:
    """The parameters of a function, with the stars of NumPy's format."""
    kinds = griffe.ParameterKind
    stars = {kinds.var_positional: "*", kinds.var_keyword: "**"}
    given = [one for one in function.parameters if one.name not in ("self", "cls")]
    return [(stars.get(one.kind, "") if one.kind else "") + one.name for one in given]


def _fields(found: griffe.Class) -> list[str]:
    """The public attributes of a class without properties, which have their own docstrings."""
    return [
        name
        for name, member in found.members.items()
        if member.is_attribute
        and not name.startswith("_")
        and "property" not in member.labels
        and member.docstring is None
    ]


@pytest.mark.parametrize("name", NAMES)
def test_docstrings(name: str, caplog: pytest.LogCaptureFixture) -> None:
    for found in _objects(name):
        _check_docstring(found)
    assert caplog.text == ""  # griffe warns of docstrings that it cannot read


def _check_docstring(found: griffe.Object) -> None:
    sections = _sections(found)
    if isinstance(found, griffe.Function):
        assert _rows(found, "parameters") == _names(found), found.path
        gives = str(found.returns) not in ("None", "Never")
        assert gives == bool({"returns", "yields"} & sections.keys()), found.path
    elif isinstance(found, griffe.Class) and "TypedDict" not in map(str, found.bases):
        assert _rows(found, "attributes") == _fields(found), found.path
    assert found.docstring is not None
    assert not _CODE.search(found.docstring.value), f"{found.path}: shown as running text"


def test_parameters_are_described_once() -> None:
    """Other functions refer to the one with the description: See `Kernel.dispatch`."""
    places: dict[str, set[str]] = {}
    found = {one.path: one for name in NAMES for one in _objects(name)}
    for path, one in found.items():
        given = _sections(one).get("parameters") if one.is_function else None
        for row in given.value if given else ():
            places.setdefault(" ".join(row.description.split()), set()).add(path)
    assert len(places) > 60
    assert len(found) > 150, "if no names were found, all tests would pass"
    some = (
        "translate.api.load",
        "translate.options.Options",
        "vkrunner.api.kernel.Kernel.dispatch",
    )
    assert found.keys() >= {*some}
    repeated = {text: at for text, at in places.items() if len(at) > 1 and len(text) > 30}
    assert repeated == {}


def test_a_docstring_that_cannot_be_read_is_reported(caplog: pytest.LogCaptureFixture) -> None:
    text = "Add.\n\nParameters\n----------\nthird\n    A number.\n"
    with griffe.temporary_visited_module(f"def add(first):\n    {text!r}") as module:
        function = module["add"]
        assert _rows(function, "parameters") == ["third"]
        assert _names(function) == ["first"]
    assert "third" in caplog.text


@pytest.mark.parametrize("package", PACKAGES)
def test_examples(package: str, folder: Path) -> None:
    objects = (found for name in SHOWN[package] for found in _objects(name))
    examples = [found for found in objects if "examples" in _sections(found)]
    assert len(examples) >= 5
    for found in examples:
        _run_examples(found)


def _run_examples(found: griffe.Object) -> None:
    assert found.docstring is not None
    module = importlib.import_module(found.module.path)
    example = doctest.DocTestParser().get_doctest(
        found.docstring.value, dict(vars(module)), found.path, str(found.filepath), found.lineno
    )
    assert example.examples
    printed: list[str] = []
    doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(example, out=printed.append)
    assert not printed, "".join(printed)
