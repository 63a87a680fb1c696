"""`Options.size_tables`: the arrays that get a table, its binding, and its use."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import translate
from translate.interface import Table
from translate.spirv.grammar import Decoration, Op

from ..corpus.spirv_words import instructions

NON_UNIFORM = (Op.Decorate, (Decoration.NonUniform,))
SAXPY = Path(__file__).parents[2] / "shaders" / "saxpy.dxbc"

LISTING = (Path(__file__).parent / "data/size_tables.asm").read_text("utf-8")


def module(listing: str = LISTING, **options: Any) -> translate.SpirvModule:
    return translate.to_spirv(translate.load(listing), translate.Options(**options))


def test_none_is_the_default() -> None:
    plain, none = module(), module(size_tables="none")
    np.testing.assert_array_equal(plain.words, none.words)
    assert plain.interface == none.interface
    assert not plain.interface.tables


@pytest.mark.parametrize(
    ("options", "registers"),
    [
        ({"size_tables": "dynamic"}, ["t2_space3", "u1_space1", "u0"]),
        ({"size_tables": "non_uniform"}, ["t2_space3", "u0"]),
        *(
            ({"size_tables": "non_uniform", "guards": guards}, ["t2_space3", "u0"])
            for guards in ("report", "robustness2", "off")
        ),
    ],
)
def test_arrays_with_such_an_index_have_one(options: dict[str, Any], registers: list[str]) -> None:
    """A constant index, as of T1, needs no table. SPIRV-Tools validate the modules."""
    found = {table.register: table for table in module(**options).interface.tables}
    assert list(found) == registers


def test_descriptors_are_asked_where_there_is_no_table() -> None:
    counts = [
        module(size_tables=name).text().count("OpArrayLength")
        for name in ("none", "non_uniform", "dynamic")
    ]
    assert counts == [4, 2, 1]


@pytest.mark.parametrize("guards", ["d3d", "report", "robustness2", "off"])
def test_no_size_is_asked_through_a_non_uniform_pointer(guards: str) -> None:
    """Drivers give the size of another buffer, or end the process."""
    for tables, expected in (("none", True), ("non_uniform", False), ("dynamic", False)):
        rows = instructions(module(size_tables=tables, guards=guards).words)
        asked = {row[3] for row in rows if row[0] == Op.ArrayLength}
        decorated = {row[1] for row in rows if (row[0], row[2:]) == NON_UNIFORM}
        assert (not asked.isdisjoint(decorated)) == expected


def test_all_tables_are_one_buffer() -> None:
    """It takes no place of a storage buffer, of which devices have few."""
    found = module(size_tables="dynamic", array_lengths={"u0": 5}).interface
    assert found.tables == (
        Table("t2_space3", "sizes", first=0, stride=1),
        Table("u0", "sizes", first=3, stride=1),
        Table("u1_space1", "sizes", first=8, stride=1),
    )
    table = found["tables"]
    assert (table.kind, table.set, table.binding) == ("tables", 0, 290)
    assert (table.descriptor_type, table.count) == ("uniform_texel_buffer", 1)
    assert (table.vk_format, table.size_bytes) == ("VK_FORMAT_R32_UINT", 4 * (3 + 5 + 2))
    assert (table.read, table.written, table.atomic) == (True, False, False)
    row = {"register": "u0", "kind": "sizes", "first": 3, "stride": 1}
    assert found.to_dict()["tables"][1] == row


def test_tables_of_unbounded_ranges_are_interleaved_at_the_end() -> None:
    """So they have as many entries as buffers are bound."""
    listing = LISTING.replace("U1[1:2], 16", "U1[1:*], 16")
    found = module(listing, size_tables="dynamic", windows={"u0"}).interface
    assert found.tables == (
        Table("t2_space3", "sizes", first=0, stride=1),
        Table("u0", "sizes", first=3, stride=4),
        Table("u0", "windows", first=4, stride=4),
        Table("u1_space1", "sizes", first=6, stride=4),
    )
    assert found["tables"].size_bytes is None


def test_tables_can_be_bound_elsewhere() -> None:
    chosen = {"tables": (2, 9)}
    table = module(size_tables="non_uniform", bindings=chosen).interface["tables"]
    assert (table.set, table.binding) == (2, 9)
    with pytest.raises(translate.OptionError, match="tables"):
        module(bindings=chosen)


def test_counters_have_a_table_of_their_own() -> None:
    listing = LISTING.replace("dcl_uav_structured U1", "dcl_uav_structured_opc U1").replace(
        "store_structured", "imm_atomic_consume r0.z, U1[r0.x + 1] { nonuniform }\nstore_structured"
    )
    found = module(listing, size_tables="non_uniform", array_lengths={"u0": 1}).interface
    sizes, counters = (t for t in found.tables if t.register == "u1_space1")
    assert (sizes.kind, sizes.first, sizes.stride) == ("sizes", 3 + 1, 1)
    assert (counters.kind, counters.first, counters.stride) == ("counters", 3 + 1 + 2, 1)


def test_shaders_without_arrays_stay_as_they_are() -> None:
    program = translate.load(SAXPY)
    plain = translate.to_spirv(program)
    tabled = translate.to_spirv(program, translate.Options(size_tables="dynamic"))
    assert plain.interface == tabled.interface
    np.testing.assert_array_equal(plain.words, tabled.words)


def test_an_unknown_choice_is_refused() -> None:
    with pytest.raises(translate.OptionError, match=r"size_tables.*non_unif"):
        module(size_tables="all")
