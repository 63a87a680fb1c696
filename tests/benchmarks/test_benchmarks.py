"""Every part of the benchmarks works and gives right results; speed is not checked here."""

from __future__ import annotations

import os

import pytest

from ..radv.compiler import MissingCompiler, manifest
from ..radv.modules import PEERS, missing_peers
from .__main__ import PARTS, measure
from .figures import Row, lower_quartile, machine, table

QUICK = ("words", "isa", "dispatch", "transfer")
LONG = pytest.mark.thorough(reason="it translates, compiles and runs the whole corpus")


@pytest.mark.parametrize(
    "part", [pytest.param(part, marks=[] if part in QUICK else LONG) for part in PARTS]
)
def test_part(part: str) -> None:
    """The kernels' results are compared with NumPy's and hashlib's by the part itself."""
    if part == "isa":
        needs_radv()
        needs_a_peer()
    no_cache = os.environ.get("MESA_SHADER_CACHE_DISABLE")
    title, rows = measure(part, 0.01)
    left = os.environ.get("MESA_SHADER_CACHE_DISABLE")
    assert left == no_cache, "later tests would do without the driver's cache"
    assert title
    assert rows
    assert all(figure > 0 for row in rows for figure in row.figures.values())


def needs_radv() -> None:
    try:
        manifest()
    except MissingCompiler as missing:
        pytest.fail(str(missing)) if os.environ.get("CI") else pytest.skip(str(missing))


def needs_a_peer() -> None:
    """Skip where no tool is installed whose code ours is compared with."""
    missing = missing_peers()
    if len(missing) == len(PEERS):
        pytest.skip("; ".join(missing))


def test_table_has_a_dash_where_there_is_no_figure() -> None:
    rows = [Row("one", {"ms": 0.125, "words": 1000}), Row("another", {"words": 12})]
    assert table("what", rows).split("\n") == [
        "what        ms  words",
        "one      0.125   1000",
        "another      -     12",
    ]


def test_lower_quartile() -> None:
    assert lower_quartile([7.0]) == 7.0
    assert lower_quartile([1.0, 9.0]) == 3.0, "between the least and the most"
    assert lower_quartile([5.0, 1.0, 4.0, 2.0, 3.0]) == 2.0


def test_machine_names_its_devices() -> None:
    assert machine()["devices"]
