"""From a program to a module: the binding map, the interface, and the order of the passes."""

import re
import warnings
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

import translate
from translate.ir.row import Stage
from translate.ir.verify import verify
from translate.lower import lower_program
from translate.options import INDEXING_FEATURES, WORKAROUNDS
from translate.passes.pipeline import passes
from vkrunner.values.formats import FORMATS

SHADERS = Path(__file__).parents[2] / "shaders"
SAXPY, SOBEL = SHADERS / "saxpy.dxbc", SHADERS / "sobel.dxbc"
LISTING = (Path(__file__).parent / "data/pipeline.asm").read_text("utf-8")


def translated(source: str | Path, **options: Any) -> translate.SpirvModule:
    return translate.to_spirv(translate.load(source), translate.Options(**options))


def module(**options: Any) -> translate.SpirvModule:
    return translated(LISTING, **options)


def places(**options: Any) -> dict[str, tuple[int, int]]:
    return {b.register: (b.set, b.binding) for b in module(**options).interface.bindings}


@pytest.mark.parametrize("noted", [False, True])
def test_each_pass_comes_after_those_that_it_names(noted: bool) -> None:
    """The options select every pass; a misspelt name would check nothing."""
    most = translate.Options(
        guards="report", workarounds=WORKAROUNDS, missing_indexing=frozenset(INDEXING_FEATURES)
    )
    earlier: list[str] = []
    for one in passes(most, noted=noted):
        assert {*one.after} <= {*earlier}, one.name
        earlier.append(one.name.replace("_noted", ""))
    assert len(earlier) > 30


def test_default_places_follow_class_and_number() -> None:
    """Constant buffers from 0, samplers 16, t# 32, u# 160, counters 224; set 0 is space 0."""
    assert places() == {
        "cb1": (0, 1),
        "t2": (0, 34),
        "t3": (0, 35),
        "u0": (0, 160),
        "u0.counter": (0, 224),
        "u4": (0, 164),
    }


def test_chosen_places() -> None:
    chosen = {"t2": (1, 7), "u0.counter": (3, 0)}
    assert places(bindings=chosen) == {**places(), **chosen}


def places_of_uavs(*numbers: int, **options: Any) -> dict[str, tuple[int, int]]:
    """The places of t2 and of UAVs with counters, in space 3 of cs_5_1."""
    numbered = list(enumerate(numbers))
    listing = [
        "cs_5_1\ndcl_globalFlags refactoringAllowed\ndcl_resource_raw T0[2:2], space=3",
        *(f"dcl_uav_structured_opc U{n}[{u}:{u}], 4, space=3" for n, u in numbered),
        "dcl_temps 1\ndcl_thread_group 1, 1, 1\nld_raw r0.x, l(0), T0[2].x",
        *(f"imm_atomic_alloc r0.x, U{n}[{u}]" for n, u in numbered),
        "ret\n",
    ]
    bindings = translated("\n".join(listing), **options).interface.bindings
    return {b.register.replace("_space3", ""): (b.set, b.binding) for b in bindings}


def test_high_registers_have_free_places() -> None:
    """u64 and u128 would have the places of u0.counter and of the report."""
    assert places_of_uavs(0, 64, 128, 0xFFFFFFFE) == {
        "t2": (3, 34),
        "u0": (3, 160),
        "u0.counter": (3, 224),
        "u64": (3, 768),
        "u64.counter": (3, 288),
        "u128": (3, 769),
        "u128.counter": (3, 352),
        "u4294967294": (3, 770),
        "u4294967294.counter": (3, 771),
    }


def test_high_registers_keep_a_free_default() -> None:
    """Its own counter does not have the default binding of u64: 224."""
    assert places_of_uavs(64) == {"t2": (3, 34), "u64": (3, 224), "u64.counter": (3, 288)}
    assert places_of_uavs(700)["u700"] == (3, 860)


def test_high_registers_avoid_chosen_places() -> None:
    chosen = {"u0_space3": (3, 224), "u0_space3.counter": (3, 768)}
    found = places_of_uavs(0, 64, bindings=chosen)
    assert (found["u0"], found["u0.counter"]) == ((3, 224), (3, 768))
    assert found["u64"] == (3, 769)


def test_names_in_place_of_registers() -> None:
    """`bindings` and `formats` take the names of the HLSL, as arguments of a dispatch do."""
    named = translated(
        SOBEL,
        bindings={"image": (1, 4), "gradient": (1, 5)},
        formats={"gradient": "r16_float", "t0": "r8_unorm"},
    )
    numbered = translated(
        SOBEL, bindings={"t0": (1, 4), "u0": (1, 5)}, formats={"u0": "r16_float", "t0": "r8_unorm"}
    )
    assert named.to_bytes() == numbered.to_bytes()
    assert named.interface == numbered.interface
    assert (named.interface["u0"].set, named.interface["u0"].binding) == (1, 5)
    assert translated(SAXPY, windows={"y"}).data == translated(SAXPY, windows={"u0"}).data


def test_a_name_of_a_counter() -> None:
    emit = SHADERS / "particles_emit.dxbc"
    counter = next(b for b in translated(emit).interface if b.register.endswith(".counter"))
    chosen = {f"{counter.name}.counter": (2, 9)}
    found = translated(emit, bindings=chosen).interface[counter.register]
    assert (found.set, found.binding) == (2, 9)


# Listing or shader, options, and names in the error
REFUSED: list[tuple[str | Path, dict[str, Any], str]] = [
    (LISTING, {"bindings": {"u0": (0, 34)}},  # t2 has this place
     r"(?s)t2.*u0.*0.*Options\.bindings or layout \(command line: --bind"),
    (LISTING, {"bindings": {"u0": (0, 1 << 32)}}, "u0"),
    (LISTING, {"bindings": {"t9": (0, 0)}}, "t9"),
    (LISTING, {"formats": {"t9": "r8_uint"}}, "t9"),
    (SOBEL, {"bindings": {"u0": (1, 4), "gradient": (1, 5)}}, "u0"),  # its own name
    (SAXPY, {"windows": {"yy"}}, r"u0 \(y\)"),
    (SAXPY, {"formats": {"x": "r32_float"}}, "t0"),  # x has no texels
    (LISTING, {"windows": {"cb1"}}, "cb1 cannot have a view range"),
    (LISTING, {"windows": {"g0"}}, "g0 cannot have a view range"),
    (LISTING, {"windows": {"t2", "t9"}}, "t9"),
]  # fmt: skip


@pytest.mark.parametrize(("source", "options", "match"), REFUSED, ids=[r[2] for r in REFUSED])
def test_wrong_options(source: str | Path, options: dict[str, Any], match: str) -> None:
    with pytest.raises(translate.OptionError, match=match):
        translated(source, **options)


def test_interface_has_the_use_of_resources() -> None:
    interface = module().interface
    assert interface.thread_group == (4, 2, 1)
    assert interface.shared_memory_bytes == 48 + 32
    assert interface["t3"].stride == 20
    assert interface["cb1"].size_bytes == 48
    assert (interface["u0"].read, interface["u0"].written) == (False, True)
    assert (interface["t2"].read, interface["t2"].written) == (True, False)
    assert interface["u0.counter"].atomic


def test_unknown_format_asks_for_a_feature() -> None:
    """A store to a UAV of unknown format; with the format known it needs none."""
    feature = "storage_image_write_without_format"
    assert feature in module().interface.features
    assert feature not in module(formats={"u4": "r32_uint"}).interface.features


def test_single_buffers_can_have_windows() -> None:
    assert module(windows={"u4", "t2", "u0"}).interface.windows == ("t2", "u0", "u4")


# Those that "Format support for Direct3D Feature Level 11.0 hardware" gives no typed UAVs
NO_UAVS = (
    "r8g8b8a8_unorm_srgb", "b8g8r8a8_unorm_srgb", "b8g8r8x8_unorm", "b8g8r8x8_unorm_srgb",
    "r9g9b9e5_sharedexp", "d32_float", "d16_unorm", "r24_unorm_x8_typeless",
    "r32_float_x8x24_typeless", "r8g8_b8g8_unorm", "g8r8_g8b8_unorm", "bc1_unorm",
    "bc1_unorm_srgb", "bc2_unorm", "bc2_unorm_srgb", "bc3_unorm", "bc3_unorm_srgb",
    "bc4_unorm", "bc4_snorm", "bc5_unorm", "bc5_snorm", "bc6h_uf16", "bc6h_sf16", "bc7_unorm",
    "bc7_unorm_srgb",
)  # fmt: skip


def test_formats_of_uavs() -> None:
    floats = [name for name, one in FORMATS.items() if one.component == "float"]
    assert {*NO_UAVS} < {*floats}
    for name in floats:
        refused = pytest.raises(translate.OptionError, match=f"D3D has no UAVs of {name}")
        with refused if name in NO_UAVS else nullcontext():
            translated(SHADERS / "gaussian_blur.dxbc", formats={"blurred": name})


@pytest.mark.parametrize("guards", ["d3d", "report", "robustness2", "off"])
@pytest.mark.parametrize("optimize", [True, False])
def test_passes_end_in_what_can_be_emitted(guards: str, optimize: bool) -> None:
    options = translate.Options(guards=guards, optimize=optimize)
    program = lower_program(translate.load(LISTING))
    order = passes(options)
    assert ("simplify" in [one.name for one in order]) == optimize
    for one in order:
        one.run(program)
    verify(program, Stage.WINDOWED)


def test_the_same_program_can_be_translated_twice() -> None:
    program = translate.load(LISTING)
    first, second = (translate.to_spirv(program).words for _ in range(2))
    assert first.tolist() == second.tolist()


def test_errors_show_the_line() -> None:
    broken = LISTING.replace("r0.x, l(4), t3.x", "r0.x, l(4), t7.x")
    line = "ld_structured r0.z, r0.x, l(4), t7.x"
    with pytest.raises(translate.ProgramError, match=re.escape(line)) as caught:
        translated(broken)
    assert caught.value.where.line == broken.split("\n").index(line) + 1


BRANCH = "if_nz r0.x\nstore_raw u0.x, r0.x, l(1)\niadd r0.x, r0.x, l(4)\nendif\n"
LARGE = (
    "cs_5_0\ndcl_uav_raw u0\ndcl_input vThreadID.x\ndcl_temps 1\ndcl_thread_group 1, 1, 1\n"
    f"mov r0.x, vThreadID.x\n{BRANCH * 2600}ret\n"
)


def test_modules_of_many_blocks_are_not_validated_unasked() -> None:
    """SPIRV-Tools take time that grows with the square of the blocks' number."""
    with pytest.warns(
        RuntimeWarning, match=r"a module of 10\d{3} blocks is not validated"
    ) as caught:
        translate.to_spirv(translate.load(LARGE))
    assert len(caught) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        translate.to_spirv(translate.load(LARGE.replace(BRANCH * 200, "", 1)))


@pytest.mark.slow(reason="SPIRV-Tools take seconds")
def test_modules_of_many_blocks_are_validated_on_demand() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        translate.to_spirv(translate.load(LARGE), translate.Options(validate=True))
