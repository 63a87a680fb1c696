"""Options are checked when they are made, and accept NumPy's integers."""

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import translate
from translate.bindings.places import PLACES
from translate.options import REGISTER_CLASSES

ROOT = Path(__file__).parents[2]
SHADERS = ROOT / "shaders"
SAXPY = SHADERS / "saxpy.dxbc"

WRONG: list[tuple[dict[str, Any], str]] = [
    ({"bindings": {"u0": (0, 5.0)}}, "binding of u0 must be an integer, not 5.0"),
    ({"bindings": {"u0": (0, -5)}}, "binding of u0 must not be negative, not -5"),
    ({"layout": {"u": 5}}, "binding of u must be (set, binding), not 5"),
    (
        {"layout": {"u0": (1, 0)}},
        "each class of layout must be one of cb, s, t, u, u.counter, report, messages, tables,"
        " not 'u0'",
    ),
    ({"push_constants": {"cb0": "4"}}, "size of cb0 must be an integer, not '4'"),
    ({"push_constants": {"cb0": -4}}, "size of cb0 must not be negative, not -4"),
    ({"push_constants": 128}, "push_constants must be a dict by register or name, not 128"),
    ({"bindings": {"u0": 5}}, "binding of u0 must be (set, binding), not 5"),
    ({"bindings": {"u0": (0, 1, 2)}}, "binding of u0 must be (set, binding), not (0, 1, 2)"),
    ({"array_lengths": {"t0": 2.5}}, "length of t0 must be an integer, not 2.5"),
    ({"constant_lengths": {"cb0": "4"}}, "length of cb0 must be an integer, not '4'"),
    ({"array_lengths": {"t0": -1}}, "length of t0 must not be negative, not -1"),
    ({"max_words": 2.5}, "max_words must be an integer, not 2.5"),
]


@pytest.mark.parametrize(("options", "message"), WRONG)
def test_wrong_numbers_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(translate.OptionError) as caught:
        translate.Options(**options)
    assert str(caught.value) == message


def test_integers_of_numpy() -> None:
    given: dict[str, Any] = {
        "bindings": {"u0": (np.uint8(2), np.int64(5))},
        "max_words": np.int32(1 << 20),
    }
    module = translate.to_spirv(translate.load(SAXPY), translate.Options(**given))
    (binding,) = (b for b in module.interface.bindings if b.register == "u0")
    assert (binding.set, binding.binding) == (2, 5)
    assert json.loads(module.interface.to_json())


@pytest.mark.parametrize(
    "field",
    [
        *("float_controls", "robust_access", "exact_samples", "exact_functions"),
        *("missing_indexing", "windows", "single_sample"),
    ],
)
def test_a_set_is_kept_as_it_was_given(field: str) -> None:
    given = {
        "float_controls": {"rounding_mode_rte_32"},
        "robust_access": {"robust_buffer_access"},
        "exact_samples": {"slices"},
        "exact_functions": {"sines"},
        "missing_indexing": {"storage_buffer_dynamic_indexing"},
    }
    names = given.get(field, {"t0"})
    kept = frozenset(names)
    wrong_type: dict[str, Any] = {field: names}
    options = translate.Options(**wrong_type)
    names.clear()
    assert getattr(options, field) == kept
    assert isinstance(getattr(options, field), frozenset)


@pytest.mark.parametrize("path", sorted(SAXPY.parent.glob("*.dxbc")), ids=lambda path: path.stem)
def test_a_layout_for_all_shaders(path: Path) -> None:
    """Each register has its class's set, and its number from the class's first binding on."""
    layout = {"cb": (1, 0), "s": (2, 5), "t": (3, 0), "u": (4, 7), "u.counter": (5, 0)}
    program = translate.load(path)
    before = translate.to_spirv(program, translate.Options()).interface
    made = translate.to_spirv(program, translate.Options(layout=layout)).interface
    for b, default in zip(made, before, strict=True):
        assert b.register == default.register
        if b.register_class in layout and default.set == 0:
            first_set, first = layout[b.register_class]
            number = int(re.findall(r"[0-9]+", b.register)[0])
            assert (b.set, b.binding) == (first_set, first + number)
    if (first := next(iter(made), None)) is not None:
        options = translate.Options(layout=layout, bindings={first.register: (9, 9)})
        moved = translate.to_spirv(program, options).interface
        assert (moved.bindings[0].set, moved.bindings[0].binding) == (9, 9)


def test_every_class_of_a_layout_has_default_places() -> None:
    assert tuple(PLACES) == REGISTER_CLASSES


def test_a_layout_with_two_descriptors_in_one_place() -> None:
    options = translate.Options(layout={"t": (0, 0), "u": (0, 0)})
    program = translate.load(SAXPY)
    with pytest.raises(translate.OptionError, match="are both bound to set 0, binding 0") as caught:
        translate.to_spirv(program, options)
    assert "space" not in str(caught.value)


def test_layouts_and_spaces() -> None:
    """Space n is n sets further; bindings that no two classes share leave room for it."""
    program = translate.load(SHADERS / "mix_tracks.dxbc")
    layout = {"cb": (0, 0), "t": (1, 0), "u": (2, 0)}
    with pytest.raises(translate.OptionError, match="a register of space n is n sets further"):
        translate.to_spirv(program, translate.Options(layout=layout))
    page = (ROOT / "docs/engine.md").read_text("utf-8")
    given = re.search(r"for shaders that use spaces, `([^`]*)`", page)
    assert given is not None
    parts = (part.replace("=", ":").split(":") for part in given[1].split(","))
    layout = {name: (int(n), int(binding)) for name, n, binding in parts}
    found = translate.to_spirv(program, translate.Options(layout=layout)).interface
    assert [(b.register, b.set, b.binding) for b in found][:2] == [
        ("t0", 1, 32),
        ("t0_space1", 2, 32),
    ]
