"""Static samplers of a root signature are the defaults of their registers, as in D3D12."""

import dataclasses
import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import translate
import vkrunner
from translate.dxbc.container import build_container, parse_container
from translate.program import Chunk
from vkrunner.__main__ import main

from ..both_devices import device  # noqa: F401

LISTING = (Path(__file__).parent / "data/static_samplers.asm").read_text("utf-8")
WRAP, BORDER = 1, 4
POINT, COMPARED = 0, 0x80
GREATER, WHITE, BLACK = 5, 2, 1


def static(number: int, space: int, filter_: int, address: int, border: int = 0) -> bytes:
    lods = (0, 3.4e38)
    last = (GREATER, border, *lods, number, space, 0)
    return struct.pack("<4IfIII2f3I", filter_, address, address, address, 0, 0, *last)


def shader() -> bytes:
    """A container of the listing, with static samplers for all registers but s3_space1."""
    samplers = [
        static(0, 0, POINT, BORDER, WHITE),
        static(2, 1, POINT, BORDER, BLACK),
        static(4, 1, POINT, WRAP),
        static(9, 0, COMPARED, WRAP),
    ]
    constants = struct.pack("<3I3I", 1, 0, 36, 3, 0, 4)
    root = struct.pack("<6I", 2, 1, 24, len(samplers), 48, 0) + constants + b"".join(samplers)
    chunks = parse_container(translate.assemble(LISTING), None).chunks
    return build_container([*chunks, Chunk(b"RTS0", root)])


TEXELS = np.array([[0.125, 0.25]], np.float32)
# White border; black border, opaque but in alpha alone; wrapped to 0.25; the default sampler, which
# is linear; 0.5 > 0.25
STATIC = [1, 0, 0.125, np.float32(0.125 + 0.125 * 0.7), 1]


def results(on: Any, source: Any = None, **samplers: Any) -> list[float]:
    kernel = on.kernel(source or shader())
    given = {"t0": TEXELS, "t1": np.full((1, 1), 0.25, np.float32), **samplers}
    return kernel.dispatch(1, u0=np.zeros(5, np.float32), **given).u0.tolist()


def test_they_are_defaults(device: Any) -> None:  # noqa: F811
    assert results(device) == pytest.approx(STATIC, abs=1 / 256)


def test_what_is_bound_comes_first(device: Any) -> None:  # noqa: F811
    found = results(device, s0=device.sampler("point", "clamp"))
    assert found == pytest.approx([0.125, *STATIC[1:]], abs=1 / 256)


def test_without_a_root_signature(device: Any) -> None:  # noqa: F811
    """D3D11 samples with linear and clamp, and a comparison never passes."""
    found = results(device, LISTING)
    assert found == pytest.approx([0.125, 0.125, 0.25, STATIC[3], 0], abs=1 / 256)


def test_a_static_sampler_of_the_other_kind(device: Any) -> None:  # noqa: F811
    """D3D12 makes no pipeline of it."""
    source = shader().replace(static(0, 0, POINT, BORDER, WHITE), static(0, 0, COMPARED, BORDER))
    with pytest.raises(vkrunner.FormatError, match="without comparison, not with"):
        results(device, source)


def test_inspect_shows_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.dxbc"
    path.write_bytes(shader())
    assert main(["inspect", str(path)]) == 0
    said = capsys.readouterr().out
    assert "root signature  constants cb3 (4 dwords)\n" in said
    assert "static: filter point, address border, border 1\n" in said
    assert "to run one group of it on zeros\n" in said
    assert main(["inspect", "--json", str(path)]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["root_signature"] == ["constants cb3 (4 dwords)"]
    rows = {row["register"]: row.get("static_samplers", ()) for row in facts["resources"]}
    static = {register: len(found) for register, found in rows.items() if found}
    assert static == {"s0": 1, "s9": 1, "s2_space1": 2}


def test_the_interface_is_the_same_from_the_cache(device: Any) -> None:  # noqa: F811
    """The second kernel comes from the cache of translations."""
    first, second = (device.kernel(shader()).interface["s0"] for _ in range(2))
    assert first == second
    assert dataclasses.asdict(first)["static_samplers"][0]["border"] == (1, 1, 1, 1)
