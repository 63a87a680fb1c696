"""RTS0: the root signature, in its three versions; damaged chunks; what is shown of it.

`FXC` is what fxc 10.1 makes of: RootConstants(num32BitConstants=4, b0), CBV(b1, space=2), SRV(t3),
UAV(u3), DescriptorTable(SRV(t0, numDescriptors=2), UAV(u0)), DescriptorTable(SRV(t5, space=3,
numDescriptors=unbounded)), DescriptorTable(Sampler(s1)), StaticSampler(s0,
filter=FILTER_MIN_LINEAR_MAG_MIP_POINT, addressU=TEXTURE_ADDRESS_BORDER,
addressV=TEXTURE_ADDRESS_MIRROR_ONCE, addressW=TEXTURE_ADDRESS_MIRROR,
borderColor=STATIC_BORDER_COLOR_OPAQUE_BLACK, mipLODBias=0.5, minLOD=1, maxLOD=3, maxAnisotropy=4,
space=1), StaticSampler(s2, filter=FILTER_COMPARISON_ANISOTROPIC,
comparisonFunc=COMPARISON_GREATER), StaticSampler(s3, filter=FILTER_MAXIMUM_MIN_MAG_MIP_POINT).
"""

import struct
from pathlib import Path

import pytest

import translate
from translate.dxbc.container import build_container, parse_container
from translate.interface import StaticSampler
from translate.interface.root_signature import RootParameter, RootSignature
from translate.program import Chunk, Program
from vkrunner.__main__ import main

EVERY, FLT_MAX = 0xFFFFFFFF, 3.4028234663852886e38
LISTING = (Path(__file__).parent / "data/rts0.txt").read_text("utf-8")
FXC = bytes.fromhex(
    "02000000070000001800000003000000140100000000000001000000000000006c0000000200000000000000"
    "7800000003000000000000008400000004000000000000009000000000000000000000009c00000000000000"
    "00000000d40000000000000000000000f4000000000000000000000004000000010000000200000000000000"
    "03000000000000000000000003000000000000000000000002000000a4000000000000000200000000000000"
    "0000000000000000ffffffff0100000001000000000000000000000000000000ffffffff01000000dc000000"
    "00000000ffffffff050000000300000000000000ffffffff01000000fc000000030000000100000001000000"
    "0000000000000000ffffffff100000000400000005000000020000000000003f040000000400000001000000"
    "0000803f00004040000000000100000000000000d50000000100000001000000010000000000000010000000"
    "050000000200000000000000ffff7f7f02000000000000000000000080010000010000000100000001000000"
    "0000000010000000040000000200000000000000ffff7f7f030000000000000000000000"
)
# Only with registers of this root signature
FITTING = (
    LISTING.replace("S0[0:0]", "S0[1:1]")
    .replace("S0[0]", "S0[1]")
    .replace("S1[2:4]", "S1[0:0]")
    .replace("S1[3]", "S1[0]")
)
MADE_BY_FXC = RootSignature(
    (
        RootParameter("constants", ("cb0",), 4),
        RootParameter("descriptor", ("cb1_space2",)),
        RootParameter("descriptor", ("t3",)),
        RootParameter("descriptor", ("u3",)),
        RootParameter("table", ("t0-t1", "u0")),
        RootParameter("table", ("t5_space3-",)),
        RootParameter("table", ("s1",)),
    ),
    (
        StaticSampler(
            *(0, 1),
            ("linear", "point", "point"),
            ("border", "mirror_once", "mirror"),
            border=(0, 0, 0, 1),
            min_lod=1,
            max_lod=3,
            lod_bias=0.5,
        ),
        StaticSampler(
            *(2, 0),
            ("linear",) * 3,
            ("wrap",) * 3,
            comparison="greater",
            border=(1, 1, 1, 1),
            max_lod=FLT_MAX,
            max_anisotropy=16,
        ),
        StaticSampler(
            *(3, 0),
            ("point",) * 3,
            ("wrap",) * 3,
            reduction="maximum",
            border=(1, 1, 1, 1),
            max_lod=FLT_MAX,
        ),
    ),
)


def loaded(payload: bytes, listing: str = LISTING) -> Program:
    """The program of a container with this root signature."""
    chunks = parse_container(translate.assemble(listing), None).chunks
    return translate.load(build_container([*chunks, Chunk(b"RTS0", payload)]))


def static(border: int, *flags: int, number: int = 0, space: int = 0, filter_: int = 0) -> bytes:
    settings = struct.pack("<4IfIII2f3I", filter_, 4, 4, 4, 0, 0, 1, border, 0, 8, number, space, 0)
    return settings + b"".join(struct.pack("<I", flag) for flag in flags)


def signature(version: int, *samplers: bytes) -> bytes:
    return struct.pack("<6I", version, 0, 24, len(samplers), 24, 0) + b"".join(samplers)


def test_what_fxc_makes() -> None:
    program = loaded(FXC)
    assert program.root_signature == MADE_BY_FXC
    assert not program.warnings


def test_version_1_0() -> None:
    """Ranges have no flags."""
    table = struct.pack("<2I5I", 1, 44, 0, 4, 7, 0, EVERY)
    data = struct.pack("<6I3I", 1, 1, 24, 0, 0, 0, 0, 0, 36) + table
    (parameter,) = loaded(data).root_signature.parameters  # type: ignore[union-attr]
    assert parameter == RootParameter("table", ("t7-t10",))


def test_version_1_2() -> None:
    """Static samplers have flags, and borders may be of integers."""
    found = loaded(signature(3, static(4, 1), static(3, 0, number=5))).root_signature
    assert found is not None
    assert [(s.number, s.border) for s in found.samplers] == [(0, (1, 1, 1, 1)), (5, (0, 0, 0, 1))]


@pytest.mark.parametrize("size", range(len(FXC)))
def test_a_part(size: int) -> None:
    program = loaded(FXC[:size])
    if program.root_signature is None:
        assert any("RTS0) is damaged: " in warning for warning in program.warnings)


@pytest.mark.parametrize("place", range(0, len(FXC), 4))
@pytest.mark.parametrize("number", [6, 1 << 31, EVERY])
def test_another_number(place: int, number: int) -> None:
    data = bytearray(FXC)
    struct.pack_into("<I", data, place, number)
    program = loaded(bytes(data))
    assert (program.root_signature is None) == bool(program.warnings)


@pytest.mark.parametrize("place", [4, 8, 9])
@pytest.mark.parametrize("bits", [0x7FC00000, 0x7F800000, 0xFF800000])
def test_levels_of_detail_that_are_no_numbers(place: int, bits: int) -> None:
    data = bytearray(signature(2, static(0)))
    struct.pack_into("<I", data, 24 + 4 * place, bits)
    program = loaded(bytes(data))
    assert program.root_signature is None
    assert "a level of detail is no finite number" in program.warnings[0]


def test_tables_that_share_their_ranges() -> None:
    """Reading them all would take a time that is a product."""
    count = 2000
    ranges_at = 24 + 12 * count + 8
    table = struct.pack("<2I", count, ranges_at) + struct.pack("<6I", 0, 1, 0, 0, 0, 0) * count
    parameters = struct.pack("<3I", 0, 0, ranges_at - 8) * count
    program = loaded(struct.pack("<6I", 2, count, 24, 0, 0, 0) + parameters + table)
    assert program.root_signature is None
    assert "more entries than bytes" in program.warnings[0]


def test_the_samplers_of_bindings() -> None:
    """Each binding has those of its space and registers."""
    samplers = [
        *(static(1), static(2, number=1), static(0, space=1)),
        *(static(1, number=2, space=1), static(2, number=4, space=1)),
    ]
    interface = translate.to_spirv(loaded(signature(2, *samplers))).interface
    alone, several = interface["s0"].static_samplers, interface["s2_space1"].static_samplers
    assert [(s.number, s.space) for s in alone or ()] == [(0, 0)]
    assert [(s.number, s.space) for s in several or ()] == [(2, 1), (4, 1)]
    row = next(r for r in interface.to_dict()["bindings"] if r["register"] == "s0")
    assert row["static_samplers"][0]["address"] == ["border"] * 3
    assert "static: filter point, address border, border 0 0 0 1" in str(interface["s0"])
    assert "static s2: filter point" in str(interface["s2_space1"])
    plain = translate.to_spirv(translate.load(LISTING)).interface
    assert "static_samplers" not in plain.to_dict()["bindings"][0]


def in_fxc_signature(text: str) -> bytes:
    chunks = parse_container(translate.assemble(text), None).chunks
    return build_container([*chunks, Chunk(b"RTS0", FXC)])


def test_a_listing_goes_back_into_its_container(tmp_path: Path) -> None:
    """Listings have no root signature: an edited shader keeps that of its container."""
    (tmp_path / "a.dxbc").write_bytes(original := in_fxc_signature(FITTING))
    (tmp_path / "a.asm").write_text(FITTING.replace("add r0.x", "mul r0.x"))
    made = tmp_path / "b.dxbc"
    words = ["asm", str(tmp_path / "a.asm"), "-o", str(made), "--into", str(tmp_path / "a.dxbc")]
    assert main(words) == 0
    program = translate.load(made)
    assert program.root_signature == MADE_BY_FXC
    assert "mul r0.x" in translate.disassemble(program)
    assert translate.assemble(FITTING, into=original) == original
    with pytest.raises(translate.DecodeError):
        translate.assemble(FITTING, into=FITTING.encode())
    with pytest.raises(translate.OptionError, match=r"the listing is cs_5_0, its container cs_5_1"):
        translate.assemble("cs_5_0\ndcl_thread_group 1, 1, 1\nret\n", into=original)


T_RANGE = "dcl_resource_texture2d (float,float,float,float) T1[{}], space={}\n"


@pytest.mark.parametrize(
    ("declared", "lacking"),
    [
        (T_RANGE.format("9:9", 0), "t9"),
        (T_RANGE.format("1:2", 0), "t1-t2"),
        (T_RANGE.format("3:*", 0), "t3-"),
        (T_RANGE.format("4:9", 3), "t4_space3-t9_space3"),
        (T_RANGE.format("1:1", 0), None),
        (T_RANGE.format("5:*", 3), None),
        (T_RANGE.format("7:900", 3), None),
        ("dcl_uav_raw U1[3:3], space=0\n", None),
        ("dcl_uav_raw U1[1:1], space=0\n", "u1"),
        ("dcl_sampler S2[2:3], mode_default, space=0\n", None),
        ("dcl_sampler S2[4:4], mode_default, space=0\n", "s4"),
        ("dcl_constantbuffer CB0[1:1][4], immediateIndexed, space=2\n", None),
        ("dcl_constantbuffer CB0[1:1][4], immediateIndexed, space=0\n", "cb1"),
    ],
)
def test_a_register_that_the_root_signature_lacks(declared: str, lacking: str | None) -> None:
    """D3D12 refuses such a pipeline; the container declares none of them either."""
    text = FITTING.replace("dcl_temps", f"{declared}dcl_temps")
    with pytest.warns(translate.ListingWarning) as found:
        translate.assemble(text, file="a.asm", into=in_fxc_signature(FITTING))
    refused = [str(w.message) for w in found if "RTS0" in str(w.message)]
    message = "the container's root signature (RTS0) lacks {}: D3D12 refuses such a pipeline"
    expected = f"a.asm:6:1: warning: {message.format(lacking)}" if lacking else None
    assert [text.splitlines()[0] for text in refused] == ([expected] if expected else [])
    with pytest.raises(translate.AssemblyError):
        translate.assemble(text, into=in_fxc_signature(FITTING), strict=True)


def test_disasm_says_what_listings_lack(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    chunks = [*parse_container(translate.assemble(LISTING), None).chunks, Chunk(b"RTS0", FXC)]
    path = tmp_path / "a.dxbc"
    path.write_bytes(build_container(chunks))
    assert main(["disasm", str(path)]) == 0
    assert f"lacks the root signature with its static samplers: sm5vk asm --into {path}" in (
        capsys.readouterr().err
    )
