"""`Options.size_tables`: the arrays that get a table, its binding, and its use."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import translate
from translate.interface import SIZES, Binding

SAXPY = Path(__file__).parents[2] / "shaders" / "saxpy.dxbc"

LISTING = """cs_5_1
dcl_resource_structured T0[2:4], 4, space=3
dcl_uav_raw U0[0:*], space=0
dcl_uav_structured U1[1:2], 16, space=1
dcl_resource_raw T1[6:7], space=0
dcl_input vThreadID.x
dcl_temps 2
dcl_thread_group 4, 1, 1
and r0.x, vThreadID.x, l(1)
bufinfo r0.y, T0[r0.x + 2].x { nonuniform }
ld_raw r0.z, l(0), T1[7].xxxx
store_raw U0[r0.x + 0].xy { nonuniform }, l(0), r0.yzyy
store_structured U1[r0.x + 1].xyzw, l(0), l(0), r0.xyxy
ret
"""
NON_UNIFORM = ["t2_space3.sizes", "u0.sizes"]


def module(**options: object) -> translate.SpirvModule:
    chosen = translate.Options(**options)  # type: ignore[arg-type]
    return translate.to_spirv(translate.load(LISTING), chosen)


def tables(**options: object) -> dict[str, Binding]:
    return {b.register: b for b in module(**options).interface if b.kind == SIZES}


def test_none_is_the_default() -> None:
    plain, none = module(), module(size_tables="none")
    np.testing.assert_array_equal(plain.words, none.words)
    assert plain.interface == none.interface
    assert not tables()


@pytest.mark.parametrize(
    ("size_tables", "registers"),
    [("non_uniform", NON_UNIFORM), ("dynamic", [*NON_UNIFORM, "u1_space1.sizes"])],
)
def test_arrays_with_such_an_index_have_one(size_tables: str, registers: list[str]) -> None:
    """A constant index, as of T1, needs no table."""
    assert list(tables(size_tables=size_tables)) == registers


def test_descriptors_are_asked_where_there_is_no_table() -> None:
    counts = [
        module(size_tables=name).text().count("OpArrayLength")
        for name in ("none", "non_uniform", "dynamic")
    ]
    assert counts == [4, 2, 1]


def test_a_table_is_a_buffer_beside_its_array() -> None:
    table = tables(size_tables="non_uniform")["t2_space3.sizes"]
    assert (table.set, table.binding) == (3, 320 + 2)
    assert (table.descriptor_type, table.count, table.size_bytes) == ("storage_buffer", 1, 12)
    assert (table.read, table.written, table.atomic) == (True, False, False)
    assert table.register_class == "t.sizes"


def test_a_table_of_an_unbounded_range_has_as_many_sizes_as_are_bound() -> None:
    assert tables(size_tables="non_uniform")["u0.sizes"].size_bytes is None
    known = tables(size_tables="non_uniform", array_lengths={"u0": 5})["u0.sizes"]
    assert known.size_bytes == 20


def test_a_table_can_be_bound_elsewhere() -> None:
    chosen = {"u0.sizes": (2, 9)}
    table = tables(size_tables="non_uniform", bindings=chosen)["u0.sizes"]
    assert (table.set, table.binding) == (2, 9)
    with pytest.raises(
        translate.TranslateError, match=r"u0\.sizes is not a register of this shader"
    ):
        module(bindings=chosen)


def test_counters_have_a_table_of_their_own() -> None:
    listing = LISTING.replace("dcl_uav_structured U1", "dcl_uav_structured_opc U1").replace(
        "store_structured", "imm_atomic_consume r0.z, U1[r0.x + 1] { nonuniform }\nstore_structured"
    )
    program = translate.load(listing)
    module = translate.to_spirv(program, translate.Options(size_tables="non_uniform"))
    found = module.interface["u1_space1.counter.sizes"]
    assert (found.kind, found.set, found.binding, found.count) == (SIZES, 1, 512 + 1, 1)
    assert (found.size_bytes, found.read, found.written) == (8, True, False)
    assert found.register_class == "u.counter.sizes"


@pytest.mark.parametrize("guards", ["report", "robustness2", "off"])
def test_tables_in_every_mode(guards: str) -> None:
    """SPIRV-Tools validate the modules."""
    assert list(tables(guards=guards, size_tables="non_uniform")) == NON_UNIFORM


def test_shaders_without_arrays_stay_as_they_are() -> None:
    program = translate.load(SAXPY)
    plain = translate.to_spirv(program)
    tabled = translate.to_spirv(program, translate.Options(size_tables="dynamic"))
    assert plain.interface == tabled.interface
    np.testing.assert_array_equal(plain.words, tabled.words)


def test_an_unknown_choice_is_refused() -> None:
    with pytest.raises(translate.TranslateError, match="size_tables must be one of none, non_unif"):
        module(size_tables="all")
