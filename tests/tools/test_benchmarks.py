"""Every part of the benchmarks works and gives right results; speed is not checked here."""

import dataclasses
import os
import shutil
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import translate
import vkrunner
from tools.benchmarks.__main__ import PARTS, measure
from tools.benchmarks.contestants import contestants, inputs, recorded
from tools.benchmarks.figures import Row, lower_quartile, machine, table
from tools.benchmarks.shaders import of_folder, of_repository, samples
from tools.gpus.compilers import driver_variables
from tools.gpus.modules import GLSL, PEERS, missing_peers, of_peer

from . import required

QUICK = ("words", "isa", "readiness", "dispatch", "transfer", "chunks")
CORPUS = Path(__file__).parents[1] / "corpus/cs_5_0"
COUNTS = "that sample", "over 1.3"  # which may be none
LONG = pytest.mark.thorough(reason="it translates, compiles and runs the whole corpus")


@pytest.mark.parametrize(
    "part",
    [pytest.param(p, marks=[] if p in QUICK else LONG) for p in PARTS if p != "peers"],
)
def test_part(part: str) -> None:
    """The kernels' results are compared with NumPy's and hashlib's by the part itself."""
    if part == "isa":
        with required():
            driver_variables("radeon")
        missing = missing_peers()
        if len(missing) == len(PEERS):
            pytest.skip("; ".join(missing))
    no_cache = os.environ.get("MESA_SHADER_CACHE_DISABLE")
    title, rows = measure(part, 0.01, of_repository())
    left = os.environ.get("MESA_SHADER_CACHE_DISABLE")
    assert left == no_cache, "later tests would do without the driver's cache"
    assert title
    assert rows
    figures = [item for row in rows for item in row.figures.items()]
    assert all(figure > 0 for name, figure in figures if name not in COUNTS)


def test_peers_are_compared_by_programs_that_both_take(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The stand-in takes 2 ms for one of the two shaders, and refuses the other."""
    stand_in = tmp_path / "dxbc_compiler"
    refused = "case $5 in *saxpy*) exit 1;; esac"
    stand_in.write_text(f'#!/bin/sh\n{refused}\nprintf "passes: 1 ms\\ntotal: 2 ms\\n"\n')
    stand_in.chmod(0o755)
    monkeypatch.setenv("SM5VK_DXBC_SPIRV", str(stand_in))
    monkeypatch.setenv("SM5VK_COMPILED", str(Path(__file__).parents[2]))
    for name in ("saxpy", "philox", "histogram"):
        shutil.copy(CORPUS / f"{name}.dxbc", tmp_path)
    _, rows = measure("peers", 0.4, of_folder(tmp_path, 3, seed=1))
    assert [row.name for row in rows] == [
        *("3 at random, interpreted", "15 largest, interpreted"),
        *("3 at random, compiled", "15 largest, compiled"),
        *("largest, interpreted", "largest, compiled"),
    ]
    for row in rows[:4]:
        figures = row.figures
        assert figures["programs"] == 1
        ratio = figures["us an instruction"] / figures["theirs"]
        for name in ("total", "median", "geometric"):
            assert figures[name] == pytest.approx(ratio)
        assert 0.1 < ratio < 100
    assert all(row.figures["MB"] > row.figures["MB, theirs"] for row in rows[4:])


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


def test_a_folder_of_containers(tmp_path: Path) -> None:
    chosen = [*{path.name: path for path in of_repository().every}.values()][:20]
    for path in chosen:
        shutil.copy(path, tmp_path)
    found = of_folder(tmp_path, 4, seed=1)
    assert {path.name for path in found.every} == {path.name for path in chosen}
    assert len(set(found.sets["4 at random"])) == 4
    assert len(found.sets["15 largest"]) == 15
    assert found == of_folder(tmp_path, 4, seed=1)
    assert found != of_folder(tmp_path, 4, seed=2)
    with pytest.raises(ValueError, match=r"20 files with the suffix \.dxbc, 21 are needed"):
        of_folder(tmp_path, 21, seed=1)


def test_the_largest_have_most_instructions() -> None:
    every = of_repository()
    largest = {path.stem for path in every.sets["15 largest"]}
    assert {"bc1_encode"} <= largest
    assert not {"saxpy"} & largest


def test_shaders_that_sample() -> None:
    """As their listings show."""
    assert samples(CORPUS / "resample.dxbc")
    assert not samples(CORPUS.parents[2] / "tools/benchmarks/kernels/saxpy.dxbc")


# The tools that dispatches are compared with do the same work


def test_contestants_compute_the_same(device: vkrunner.Device) -> None:
    missing: list[str] = []
    x, y = inputs(1000)
    with ExitStack() as stack:
        found = contestants(1000, device.name, stack, missing)
        assert len(found) + len(missing) == 4
        for contestant in found:
            contestant.dispatch()
            np.testing.assert_array_equal(contestant.arrays(), 2 * x + y, contestant.name)


def test_the_raw_loop_and_the_recording_do_the_same(device: vkrunner.Device) -> None:
    with recorded(64, device.name, 3) as (own, raw):
        own()
        raw()


# The kernels that are compared with GLSL by their code alone compute what the GLSL computes

BLUR = Path(__file__).parents[2] / "tools/benchmarks/kernels/blur_halves.dxbc"
RADIUS = 6


def blurred(picture: np.ndarray[Any, Any], weights: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """A blur along rows; the texel at an edge repeats beyond it."""
    width = picture.shape[1]
    wide = np.pad(picture.astype(np.float32), ((0, 0), (RADIUS, RADIUS), (0, 0)), "edge")
    total = wide[:, RADIUS : RADIUS + width] * weights[0]
    for j in range(1, RADIUS + 1):
        before, after = (wide[:, RADIUS + d : RADIUS + d + width] for d in (-j, j))
        total += (before + after) * weights[j]
    return total.astype(np.float16)


@pytest.mark.parametrize("form", ["DXBC", GLSL])
def test_blur_halves(device: vkrunner.Device, form: str) -> None:
    """Whole numbers and powers of two, whose sums and products are exact, in halves too."""
    program = translate.load(BLUR)
    module = translate.to_spirv(program, vkrunner.options_for(device, program))
    if form == GLSL:
        made = of_peer(GLSL, BLUR)
        if made is None:
            pytest.skip("; ".join(missing_peers([GLSL])))
        module = dataclasses.replace(module, data=made.tobytes())
    kernel = device.kernel(BLUR if form == "DXBC" else module)
    picture = np.random.default_rng(1).integers(-15, 16, (5, 70, 4)).astype(np.float16)
    weights = np.array([4, 2, 1, 0.5, 1, 0.25, 0.5], np.float32)
    expected = blurred(picture, weights)
    for columns in (0, 1):
        height, width, _ = picture.shape
        constants = {"size": (width, height), "columns": columns, "weights": weights.tolist()}
        result = kernel.dispatch(
            (2, 5, 1),
            image=picture.view(np.uint32),
            blurred=np.zeros((height, width, 2), np.uint32),
            Params=constants,
        )
        np.testing.assert_array_equal(result.blurred.view(np.float16), expected)
        picture, expected = (array.swapaxes(0, 1).copy() for array in (picture, expected))
