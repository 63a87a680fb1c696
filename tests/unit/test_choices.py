"""The types of names and options, for type checkers, agree with what is accepted at run time."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest

import translate
import vkrunner
from translate.options import GUARDS
from vkrunner.values.dimensions import DIMENSIONS
from vkrunner.values.formats import FORMATS
from vkrunner.values.samplers import ADDRESSES, COMPARISONS, FILTERS

TABLES = [
    (translate.FormatName, FORMATS),
    (translate.GuardMode, GUARDS),
    (vkrunner.DimensionName, DIMENSIONS),
    (vkrunner.FilterName, FILTERS),
    (vkrunner.AddressName, ADDRESSES),
    (vkrunner.ComparisonName, COMPARISONS),
]


@pytest.mark.parametrize(("names", "table"), TABLES, ids=lambda x: "" if get_args(x) else "table")
def test_a_type_has_the_names_of_its_table(names: Any, table: dict[str, Any]) -> None:
    assert list(get_args(names)) == list(table)


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


def test_float_controls_take_every_name_of_their_type() -> None:
    every = frozenset(get_args(translate.FloatControl))
    assert translate.Options(float_controls=every).float_controls == every
    features = frozenset(get_args(translate.RobustAccess))
    assert translate.Options(robust_access=features).robust_access == features
    kinds = frozenset(get_args(translate.ExactSample))
    assert translate.Options(exact_samples=kinds).exact_samples == kinds
    missing = frozenset(get_args(translate.IndexingFeature))
    assert translate.Options(missing_indexing=missing).missing_indexing == missing


def test_a_buffer_is_mapped_in_every_mode_of_the_type() -> None:
    with vkrunner.open_device("reference") as device, device.buffer(4) as buffer:
        for mode in get_args(vkrunner.MapMode):
            with buffer.map(mode) as array:
                assert array.nbytes == 4
