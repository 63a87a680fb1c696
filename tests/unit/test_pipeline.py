"""From a program to a module: the binding map, the interface, and the order of the passes."""

from __future__ import annotations

from pathlib import Path

import pytest

import translate
from translate.ir.row import Stage
from translate.ir.verify import verify
from translate.lower import lower_program
from translate.passes.pipeline import passes
from vkrunner.values.formats import FORMATS

SHADERS = Path(__file__).parents[2] / "shaders"
LISTING = """cs_5_0
dcl_globalFlags refactoringAllowed
dcl_constantbuffer CB1[3], immediateIndexed
dcl_resource_raw t2
dcl_resource_structured t3, 20
dcl_uav_structured u0, 8
dcl_uav_typed_buffer (uint,uint,uint,uint) u4
dcl_input vThreadID.x
dcl_temps 1
dcl_tgsm_raw g0, 48
dcl_tgsm_structured g1, 8, 4
dcl_thread_group 4, 2, 1
imm_atomic_alloc r0.x, u0
ld_raw r0.y, l(0), t2.x
ld_structured r0.z, r0.x, l(4), t3.x
iadd r0.y, r0.y, cb1[2].x
iadd r0.y, r0.y, r0.z
store_structured u0.x, r0.x, l(0), r0.y
store_uav_typed u4.xyzw, r0.xxxx, r0.yyyy
ret
"""


def module(**options: object) -> translate.SpirvModule:
    chosen = translate.Options(**options)  # type: ignore[arg-type]
    return translate.to_spirv(translate.load(LISTING), chosen)


def places(**options: object) -> dict[str, tuple[int, int]]:
    return {b.register: (b.set, b.binding) for b in module(**options).interface.bindings}


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


def test_two_registers_cannot_share_a_place() -> None:
    with pytest.raises(translate.OptionError, match=r"t2.*u0.*0") as e:
        module(bindings={"u0": (0, 34)})
    assert "Options.bindings (command line: --bind)" in str(e.value)
    with pytest.raises(translate.OptionError, match="u0"):
        module(bindings={"u0": (0, 1 << 32)})


def places_of_uavs(*numbers: int, **options: object) -> dict[str, tuple[int, int]]:
    """The places of t2 and of UAVs with counters, in space 3 of cs_5_1."""
    numbered = list(enumerate(numbers))
    listing = [
        "cs_5_1\ndcl_globalFlags refactoringAllowed\ndcl_resource_raw T0[2:2], space=3",
        *(f"dcl_uav_structured_opc U{n}[{u}:{u}], 4, space=3" for n, u in numbered),
        "dcl_temps 1\ndcl_thread_group 1, 1, 1\nld_raw r0.x, l(0), T0[2].x",
        *(f"imm_atomic_alloc r0.x, U{n}[{u}]" for n, u in numbered),
        "ret\n",
    ]
    program = translate.load("\n".join(listing))
    options_ = translate.Options(**options)  # type: ignore[arg-type]
    bindings = translate.to_spirv(program, options_).interface.bindings
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


@pytest.mark.parametrize("options", [{"bindings": {"t9": (0, 0)}}, {"formats": {"t9": "r8_uint"}}])
def test_unknown_register(options: dict[str, object]) -> None:
    with pytest.raises(translate.OptionError, match="t9"):
        module(**options)


def test_names_in_place_of_registers() -> None:
    """`bindings` and `formats` take the names of the HLSL, as arguments of a dispatch do."""
    program = translate.load(SHADERS / "sobel.dxbc")
    places = {"image": (1, 4), "gradient": (1, 5)}
    formats = {"gradient": "r16_float", "t0": "r8_unorm"}
    options = translate.Options(bindings=places, formats=formats)  # type: ignore[arg-type]
    named = translate.to_spirv(program, options)
    places = {"t0": (1, 4), "u0": (1, 5)}
    formats = {"u0": "r16_float", "t0": "r8_unorm"}
    options = translate.Options(bindings=places, formats=formats)  # type: ignore[arg-type]
    assert named.to_bytes() == translate.to_spirv(program, options).to_bytes()
    assert named.interface == translate.to_spirv(program, options).interface
    assert (named.interface["u0"].set, named.interface["u0"].binding) == (1, 5)


def test_a_name_of_a_counter() -> None:
    program = translate.load(SHADERS / "particles_emit.dxbc")
    interface = translate.to_spirv(program, translate.Options()).interface
    counter = next(b for b in interface if b.register.endswith(".counter"))
    options = translate.Options(bindings={f"{counter.name}.counter": (2, 9)})
    found = translate.to_spirv(program, options).interface[counter.register]
    assert (found.set, found.binding) == (2, 9)


def test_a_register_and_its_name() -> None:
    program = translate.load(SHADERS / "sobel.dxbc")
    options = translate.Options(bindings={"u0": (1, 4), "gradient": (1, 5)})
    with pytest.raises(translate.OptionError, match="u0"):
        translate.to_spirv(program, options)


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
    chosen = frozenset({"u4", "t2", "u0"})
    assert module(windows=chosen).interface.windows == ("t2", "u0", "u4")


def test_hlsl_names_for_views() -> None:
    program = translate.load(SHADERS / "saxpy.dxbc")
    by_name = translate.to_spirv(program, translate.Options(windows=frozenset({"y"})))
    assert (
        by_name.data
        == translate.to_spirv(program, translate.Options(windows=frozenset({"u0"}))).data
    )
    with pytest.raises(translate.OptionError, match=r"u0 \(y\)"):
        translate.to_spirv(program, translate.Options(windows=frozenset({"yy"})))


def test_formats_are_for_texels() -> None:
    program = translate.load(SHADERS / "saxpy.dxbc")
    with pytest.raises(translate.OptionError, match="t0"):
        translate.to_spirv(program, translate.Options(formats={"x": "r32_float"}))


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
    program = translate.load(SHADERS / "gaussian_blur.dxbc")
    floats = [name for name, one in FORMATS.items() if one.component == "float"]
    assert {*NO_UAVS} < {*floats}
    for name in floats:
        options = translate.Options(formats={"blurred": name})
        if name not in NO_UAVS:
            translate.to_spirv(program, options)
            continue
        with pytest.raises(translate.OptionError, match=f"D3D has no UAVs of {name}"):
            translate.to_spirv(program, options)


@pytest.mark.parametrize("register", ["cb1", "g0"])
def test_only_buffers_have_windows(register: str) -> None:
    with pytest.raises(translate.OptionError, match=f"{register} cannot have a view range"):
        module(windows=frozenset({register}))


def test_a_register_that_is_not_there_has_no_window() -> None:
    with pytest.raises(translate.OptionError, match="t9"):
        module(windows=frozenset({"t2", "t9"}))


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
    with pytest.raises(translate.ProgramError) as caught:
        translate.to_spirv(translate.load(broken))
    assert "ld_structured r0.z, r0.x, l(4), t7.x" in str(caught.value)
    assert caught.value.where.line == broken.split("\n").index(
        "ld_structured r0.z, r0.x, l(4), t7.x"
    ) + 1  # fmt: skip
