"""The types of names and options, for type checkers, agree with what is accepted at run time."""

import re
from dataclasses import fields
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest

import translate
import vkrunner
from translate.options import DENORMALS, GUARDS
from vkrunner.values.formats import FORMATS
from vkrunner.values.samplers import ADDRESSES, COMPARISONS, FILTERS
from vkrunner.values.texture_layout import DIMENSIONS

from ..complete import check_complete

ROOT = Path(__file__).parents[2]
TABLES = {
    "FORMATS of vkrunner/values/formats.py": (translate.FormatName, FORMATS),
    "GUARDS of translate/options.py": (translate.GuardMode, GUARDS),
    "DIMENSIONS of vkrunner/values/texture_layout.py": (vkrunner.DimensionName, DIMENSIONS),
    "FILTERS of vkrunner/values/samplers.py": (vkrunner.FilterName, FILTERS),
    "ADDRESSES of vkrunner/values/samplers.py": (vkrunner.AddressName, ADDRESSES),
    "COMPARISONS of vkrunner/values/samplers.py": (vkrunner.ComparisonName, COMPARISONS),
}


@pytest.mark.parametrize("place", TABLES)
def test_a_type_has_the_names_of_its_table(place: str) -> None:
    names, table = TABLES[place]
    check_complete(table, get_args(names), f"{place}, or too many in the type of its names")
    assert list(get_args(names)) == list(table), "in another order"


@pytest.mark.parametrize(
    ("options", "typed"),
    [
        (translate.Options, translate.OptionsDict),
        (translate.HlslOptions, translate.HlslOptionsDict),
    ],
)
def test_keyword_arguments_are_the_fields(options: Any, typed: Any) -> None:
    hints = get_type_hints(options)
    assert {field.name: hints[field.name] for field in fields(options)} == get_type_hints(typed)
    assert not typed.__required_keys__


def test_a_kernel_takes_the_options_of_both() -> None:
    both = get_type_hints(translate.OptionsDict) | get_type_hints(translate.HlslOptionsDict)
    assert get_type_hints(vkrunner.KernelOptions) == both
    assert not vkrunner.KernelOptions.__required_keys__


def named_options() -> list[tuple[Any, str, str]]:
    """(class, field, name) for every name in a field's type."""
    found: list[tuple[Any, str, str]] = []
    for options in (translate.Options, translate.HlslOptions):
        for field, hint in get_type_hints(options).items():
            if get_origin(hint) is Literal:
                found += [(options, field, name) for name in get_args(hint)]
    return found


@pytest.mark.parametrize(("options", "field", "name"), named_options())
def test_an_option_takes_every_name_of_its_type(options: Any, field: str, name: str) -> None:
    assert getattr(options(**{field: name}), field) == name


@pytest.mark.parametrize("options", [translate.Options, translate.HlslOptions])
def test_docstrings_have_every_name(options: Any) -> None:
    for field, hint in get_type_hints(options).items():
        if get_origin(hint) is Literal:
            found = re.search(rf"^ *{field} : {{(.*)}}$", options.__doc__ or "", re.MULTILINE)
            names = found[1].split(", ") if found else []
            place = f"`{field}` of the docstring of {options.__name__}"
            check_complete([name.strip('"') for name in names], get_args(hint), place)


@pytest.mark.parametrize(("word", "names"), [("guards", GUARDS), ("denormals", DENORMALS)])
def test_the_page_about_shader_tests_has_every_mode(word: str, names: Any) -> None:
    text = (ROOT / "docs/shader-tests.md").read_text(encoding="utf-8")
    assert f"`{word} {'|'.join(names)}`" in " ".join(text.split()), "in docs/shader-tests.md"


def test_the_page_about_accesses_has_every_mode() -> None:
    text = (ROOT / "docs/out-of-bounds.md").read_text(encoding="utf-8")
    listed = re.findall(r'^\| `"(\w+)"`', text, re.MULTILINE)
    check_complete(listed, GUARDS, "the table of modes in docs/out-of-bounds.md")


def test_float_controls_take_every_name_of_their_type() -> None:
    every = frozenset(get_args(translate.FloatControl))
    assert translate.Options(float_controls=every).float_controls == every
    features = frozenset(get_args(translate.RobustAccess))
    assert translate.Options(robust_access=features).robust_access == features
    kinds = frozenset(get_args(translate.ExactSample))
    assert translate.Options(exact_samples=kinds).exact_samples == kinds
    functions = frozenset(get_args(translate.ExactFunction))
    assert translate.Options(exact_functions=functions).exact_functions == functions
    missing = frozenset(get_args(translate.IndexingFeature))
    assert translate.Options(missing_indexing=missing).missing_indexing == missing


def test_a_buffer_is_mapped_in_every_mode_of_the_type() -> None:
    with vkrunner.open_device("reference") as device, device.buffer(4) as buffer:
        for mode in get_args(vkrunner.MapMode):
            with buffer.map(mode) as array:
                assert array.nbytes == 4
