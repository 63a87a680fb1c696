"""All coordinates of a texel out of bounds: x in `index`, the others by name."""

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import translate
from vkrunner import Violation
from vkrunner.__main__ import main

HEAD = "cs_5_0\ndcl_globalFlags refactoringAllowed\n"
UINT = "(uint,uint,uint,uint)"
NAMES = ("y", "z", "slice", "mip", "sample")
# dimension -> the names of the coordinates in the components of an address, and an array's shape
COORDINATES = {
    "1d": (("x",), (6,)),
    "1darray": (("x", "slice"), (3, 6)),
    "2d": (("x", "y"), (5, 6)),
    "2darray": (("x", "y", "slice"), (3, 5, 6)),
    "3d": (("x", "y", "z"), (4, 5, 6)),
}
SAMPLED = {"2dms": (5, 6, 4, 1), "2dmsarray": (3, 5, 6, 4, 1)}
# Each is outside of all these textures, in x alone, in the last coordinates, or in all of them
PLACES = np.array([(7, 1, 2, 0), (3, 9, 8, 0), (0xFFFFFFFF, 20, 30, 0)], np.uint32)


def shader(declared: str, access: str) -> str:
    """Thread n accesses the texel at t0[n]; u0 has what it loads."""
    return (
        f"{HEAD}dcl_resource_structured t0, 16\n{declared}\ndcl_uav_structured u0, 16\n"
        f"dcl_input vThreadID.x\ndcl_temps 2\ndcl_thread_group {len(PLACES)}, 1, 1\n"
        f"ld_structured r0.xyzw, vThreadID.x, l(0), t0.xyzw\n{access}\n"
        "store_structured u0.xyzw, vThreadID.x, l(0), r1.xyzw\nret \n"
    )


def violations(device: Any, listing: str, places: Any, **arguments: Any) -> list[Violation]:
    kernel = device.kernel(listing, guards="report")
    out = np.zeros((len(PLACES), 4), np.uint32)
    return [*kernel.dispatch(1, t0=places, u0=out, **arguments).violations]


def told(found: list[Violation]) -> dict[int, dict[str, int]]:
    """Thread -> all coordinates that its violation has."""
    rows = {v.thread[0]: {"x": v.index, **{n: getattr(v, n) for n in NAMES}} for v in found}
    return {t: {n: at for n, at in row.items() if at is not None} for t, row in rows.items()}


def expected(names: tuple[str, ...], places: Any = PLACES) -> dict[int, dict[str, int]]:
    return {n: dict(zip(names, place, strict=False)) for n, place in enumerate(places.tolist())}


LOAD = "ld_indexable(texture{0})(uint,uint,uint,uint) r1.xyzw, r0.xyzw, t1.xyzw"
ACCESSES = {  # UAVs show one mip
    "load of mip 0": LOAD,
    "load of mip 2": LOAD,
    "load": LOAD.replace("ld", "ld_uav_typed").replace("t1", "u1"),
    "store": "store_uav_typed u1.xyzw, r0.xyzw, l(1,2,3,4)",
    "atomic": "atomic_iadd u1, r0.xyzw, l(1)",
}


@pytest.mark.parametrize("access", ACCESSES)
@pytest.mark.parametrize("dimension", COORDINATES)
def test_accesses(device: Any, dimension: str, access: str) -> None:
    names, shape = COORDINATES[dimension]
    places, mip = PLACES.copy(), 2 * (access == "load of mip 2")
    places[:, 3] = mip
    kind, register = ("resource", "t1") if "mip" in access else ("uav_typed", "u1")
    declared = f"dcl_{kind}_texture{dimension} {UINT} {register}"
    listing = shader(declared, f"mov r1.xyzw, l(0,0,0,0)\n{ACCESSES[access].format(dimension)}")
    texture = device.texture(np.ones(shape, np.uint32), dimension=dimension)
    rows = expected(names, places)
    if dimension == "1d" and mip == 0:
        del rows[1]  # 3 is inside
    for row in rows.values() if register == "t1" else ():
        row["mip"] = mip
    assert told(violations(device, listing, places, **{register: texture})) == rows


@pytest.mark.parametrize("dimension", SAMPLED)
def test_samples(device: Any, dimension: str) -> None:
    shape = SAMPLED[dimension]
    names = ("x", "y", "slice")[: len(shape) - 2]
    places = np.array([(7, 1, 2, 3), (3, 9, 8, 1), (1, 1, 1, 4)], np.uint32)
    declared = f"dcl_resource_texture{dimension}(4) (float,float,float,float) t1"
    listing = shader(declared, "ldms r1.xyzw, r0.xyzw, t1.xyzw, r0.w")
    texture = device.texture(np.ones(shape, np.float32), dimension=dimension, format="r32_float")
    rows = {n: {**row, "sample": int(places[n, 3])} for n, row in expected(names, places).items()}
    assert told(violations(device, listing, places, t1=texture)) == rows


def test_buffers_have_no_further_coordinates(device: Any) -> None:
    listing = shader(f"dcl_resource_buffer {UINT} t1", "ld r1.xyzw, r0.xyzw, t1.xyzw")
    found = violations(device, listing, PLACES, t1=np.ones(4, np.uint32))
    assert told(found) == {0: {"x": 7}, 2: {"x": 0xFFFFFFFF}}
    assert all(", byte offset 0x0;" in str(one) for one in found)


def test_ranges_of_textures(device: Any) -> None:
    """An access by an index of a range has no further coordinate."""
    declared = f"dcl_resource_texture2darray {UINT} T1[1:2], space=0"
    listing = shader(declared, "ld r1.xyzw, r0.xyzw, T1[1].xyzw")
    listing = listing.replace("cs_5_0", "cs_5_1").replace("t0, 16", "T0[0:0], 16, space=0")
    listing = listing.replace("u0, 16", "U0[0:0], 16, space=0").replace("u0.", "U0[0].")
    listing = listing.replace("t0.", "T0[0].")
    texture = device.texture(np.ones((3, 5, 6), np.uint32), dimension="2darray")
    found = violations(device, listing, PLACES, t1=[texture, texture])
    rows = {n: {**row, "mip": 0} for n, row in expected(("x", "y", "slice")).items()}
    assert told(found) == rows
    assert {one.register for one in found} == {"t1"}


def test_text_json_page(device: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("jinja2")
    path, places = tmp_path / "load.asm", tmp_path / "places.npy"
    path.write_text(shader(f"dcl_resource_texture2d {UINT} t1", LOAD.format("2d")))
    np.save(places, np.array([(2, 0xFFFFFFFF, 0, 1)] * 3, np.uint32))
    words = ["run", str(path), "--groups", "1", "--t0", str(places), "--t1", "ones:5x6:u4"]
    words += ["--u0", "zeros:3x4:u4", "--report", "--device", device.name]
    assert main(words) == 1
    place = "x 2, y -1 (4294967295), mip 1"
    assert f"{place} in thread 0,0,0" in capsys.readouterr().out
    assert main([*words, "--every-violation"]) == 1
    out = capsys.readouterr().out.splitlines()
    heading = next(line for line in out if line.startswith("line "))
    assert heading.split()[5:9] == ["index", "y", "mip", "byte"]
    assert main([*words, "--json"]) == 1
    first = json.loads(capsys.readouterr().out)["violations"]["records"][0]
    assert (first["index"], *(first[name] for name in NAMES)) == (2, 2**32 - 1, None, None, 1, None)
    page = tmp_path / "page.html"
    assert main([*words, "-o", str(page)]) == 1
    text = page.read_text("utf-8")
    assert place in text
    assert "x 2 to 2, y -1 to -1, mip 1 to 1" in text
    assert "Violations in memory" not in text, "a picture would show x alone"
    capsys.readouterr()


@pytest.mark.parametrize("groups", [1, 9])
def test_the_page_says_of_which_records_its_ranges_are(device: Any, groups: int) -> None:
    """Each of 1,024 threads in a group stores past the texture's end; 4,096 have a record."""
    listing = (
        f"{HEAD}dcl_uav_typed_texture2d {UINT} u0\ndcl_input vThreadID.xy\n"
        f"dcl_thread_group 32, 32, 1\nstore_uav_typed u0.xyzw, vThreadID.xyyy, l(1,1,1,1)\nret \n"
    )
    kernel = device.kernel(listing, guards="report")
    found = kernel.dispatch((groups, 2, 1), u0=np.zeros((1, 1), np.uint32)).violations
    assert found.total == groups * 2048 - 1
    (texts,) = re.findall(r"([^>]*)x \d+ to [\d,]+, y \d+ to \d+", found.page())
    assert texts == ("" if len(found) == found.total else f"of the {len(found):,} recorded: ")
    assert (texts == "") == (groups == 1)


def test_the_interface_names_the_coordinates() -> None:
    """A host that reads the report itself finds them after the byte offset."""
    listing = shader(f"dcl_resource_texture2darray {UINT} t1", LOAD.format("2darray"))
    module = translate.to_spirv(translate.load(listing), translate.Options(guards="report"))
    found = {site.register: site.coordinates for site in module.interface.sites}
    assert found == {"t0": (), "t1": ("y", "slice", "mip"), "u0": ()}
