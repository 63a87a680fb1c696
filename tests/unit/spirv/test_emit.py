"""Whole modules: their declarations."""

import re
from pathlib import Path

import pytest

import translate
from translate.ir.memory import Access
from translate.options import FLOAT_CONTROLS
from translate.spirv.emit import emit_module

from ..ir.building import Small

_HEADER = "cs_5_0\ndcl_globalFlags refactoringAllowed\n"


def spirv(*lines: str, strict: bool = False, **options: object) -> str:
    """The text of a listing's module; `strict`: without refactoringAllowed."""
    head = _HEADER.replace("dcl_globalFlags refactoringAllowed\n", "") if strict else _HEADER
    source = head + "\n".join((*lines, "ret")) + "\n"
    chosen = translate.Options(**options)  # type: ignore[arg-type]
    return translate.to_spirv(translate.load(source), chosen).text()


THREAD = ("dcl_uav_raw u0", "dcl_input vThreadID.xyz", "dcl_temps 1", "dcl_thread_group 1, 1, 1")
STORE = "store_raw u0.xy, l(0), r0.xyxx"
COPY = (
    "dcl_resource_raw t0",
    "dcl_uav_raw u0",
    "dcl_temps 1",
    "dcl_thread_group 1, 1, 1",
    "ld_raw r0.x, l(0), t0.x",
    "store_raw u0.x, l(0), r0.x",
)


def test_unguarded_access_cannot_be_written() -> None:
    small = Small()
    small.store(small.b.load(Access(small.t0, 1), [small.b.u32(0)]))
    with pytest.raises(LookupError, match="load has no row in EMITTERS"):
        emit_module(small.finish(), lambda register: (0, 0))


def test_bindings_are_chosen() -> None:
    text = spirv(*COPY, bindings={"t0": (2, 5)})
    assert "OpDecorate %t0 DescriptorSet 2" in text
    assert "OpDecorate %t0 Binding 5" in text


@pytest.mark.parametrize(
    ("declaration", "sync", "coherent"),
    [
        ("dcl_uav_raw_glc u0", "", True),
        ("dcl_uav_raw u0", "sync_ugroup_t", True),
        ("dcl_uav_raw u0", "sync_g_t", False),
        ("dcl_uav_raw u0", "", False),
    ],
)
def test_coherent(declaration: str, sync: str, coherent: bool) -> None:
    lines = (declaration, "dcl_temps 1", "dcl_thread_group 8, 1, 1", "ld_raw r0.x, l(0), u0.x",
             *([sync] if sync else []), "store_raw u0.x, l(4), r0.x")  # fmt: skip
    assert ("OpDecorate %u0 Coherent" in spirv(*lines)) == coherent


@pytest.mark.parametrize(
    ("precise", "strict", "count"), [("", False, 0), ("", True, 2), (" [precise(x)]", False, 1)]
)
def test_contraction(precise: str, strict: bool, count: int) -> None:
    """Without refactoringAllowed everything is precise (FS §22.3.2)."""
    product = f"mul{precise} r0.xy, vThreadID.xxxx, l(3.0, 5.0, 0, 0)"
    assert spirv(*THREAD, product, STORE, strict=strict).count("NoContraction") == count


@pytest.mark.parametrize(("name", "instruction"), [("min", "NMin"), ("max", "NMax")])
def test_the_other_operand_of_a_nan_is_the_result(name: str, instruction: str) -> None:
    """The result of FMin and FMax with a NaN is undefined."""
    text = spirv(*THREAD, f"{name} r0.x, vThreadID.x, vThreadID.y", STORE)
    assert text.count(f" {instruction} ") == 1
    assert f" F{instruction[1:]} " not in text


def test_inputs_are_loaded_once() -> None:
    lines = ("iadd r0.x, vThreadID.x, vThreadID.y", "iadd r0.x, r0.x, vThreadID.z", STORE)
    assert spirv(*THREAD, *lines).count("OpLoad %v3uint %gl_GlobalInvocationID") == 1


def test_newer_entry_points_list_every_variable() -> None:
    """From SPIR-V 1.4 on (§2.17, OpEntryPoint)."""
    entry = {t: spirv(*COPY, target=t).split("OpEntryPoint")[1].split("\n")[0]
             for t in ("vulkan1.1", "vulkan1.2")}  # fmt: skip
    assert "%u0" not in entry["vulkan1.1"]
    assert {"%t0", "%u0"} <= set(entry["vulkan1.2"].split())


def test_lines_lead_back_to_the_listing() -> None:
    text = spirv(*COPY, debug_lines=True)
    lines = {int(line.split()[2]) for line in text.split("\n") if line.strip().startswith("OpLine")}
    assert lines == {7, 8, 9}


def test_arrays_of_group_shared_memory() -> None:
    lines = ("dcl_tgsm_structured g0, 12, 5", "dcl_input vThreadID.x", "dcl_temps 1",
             "dcl_thread_group 8, 1, 1",
             "store_structured g0.x, vThreadID.x, l(4), vThreadID.x")  # fmt: skip
    text = spirv(*lines)
    assert "OpTypeArray %_arr_uint_uint_3 %uint_5" in text
    assert "OpVariable %_ptr_Workgroup__arr__arr_uint_uint_3_uint_5 Workgroup" in text


@pytest.mark.parametrize("guards", ["d3d", "off", "robustness2"])
@pytest.mark.parametrize("optimize", [True, False])
def test_constant_index_past_the_end_is_valid(guards: str, optimize: bool) -> None:
    """Sized arrays: cb#, icb, x#, g#. An index outside must not make the module invalid."""
    lines = (
        "dcl_immediateConstantBuffer { { 1, 2, 3, 4}, { 5, 6, 7, 8} }",
        "dcl_constantbuffer CB0[2], immediateIndexed",
        "dcl_uav_raw u0",
        "dcl_indexableTemp x0[3], 4",
        "dcl_tgsm_raw g0, 16",
        "dcl_temps 2",
        "dcl_thread_group 1, 1, 1",
        "mov x0[7].x, l(1)",
        "store_raw g0.x, l(64), l(1)",
        "ld_raw r1.x, l(64), g0.x",
        "iadd r0.x, cb0[5].x, icb[6].x",
        "iadd r0.x, r0.x, x0[9].x",
        "iadd r0.x, r0.x, r1.x",
        "store_raw u0.x, l(0), r0.x",
    )
    text = spirv(*lines, guards=guards, optimize=optimize)
    if guards == "d3d" and optimize:
        assert "OpStore" in text
        assert "OpLoad" not in text


@pytest.mark.parametrize(("index", "count"), [("r0.x", 1), ("vThreadID.x", 0)])
def test_an_icb_hides_the_number_of_a_loop(index: str, count: int) -> None:
    """Otherwise Mesa unrolls the loop, however long it is."""
    contents = "dcl_immediateConstantBuffer { { 1, 0, 0, 0}, { 2, 0, 0, 0}, { 3, 0, 0, 0} }"
    start = ("mov r0.xy, l(0, 0, 0, 0)", "loop", "uge r0.z, r0.x, l(3)", "breakc_nz r0.z")
    body = (f"imad r0.y, r0.y, l(4), icb[{index} + 0].x", "iadd r0.x, r0.x, l(1)", "endloop")
    text = spirv(contents, *THREAD, *start, *body, STORE, guards="off")
    assert len(re.findall(r"ExtInst %uint %\w+ UMin", text)) == count


def test_indexable_temporaries_begin_with_zeros() -> None:
    lines = ("dcl_indexableTemp x0[3], 4", "mov r0.x, l(0)", "mov r0.x, x0[r0.x + 0].y", STORE)
    text = spirv(*THREAD, *lines, optimize=False).splitlines()
    (variable,) = (line for line in text if line.strip().startswith("%x0 = OpVariable"))
    initial = variable.split()[-1]
    assert any(line.split()[:3] == [initial, "=", "OpConstantNull"] for line in text)


def arrays(*lengths: int, lines: tuple[str, ...] = ()) -> str:
    """Arrays of two components whose elements are read; only `lines` write them."""
    reads = [f"iadd r0.xy, r0.xyxx, x{i}[vThreadID.x + 0].xyxx" for i in range(len(lengths))]
    declared = [f"dcl_indexableTemp x{i}[{length}], 2" for i, length in enumerate(lengths)]
    return spirv(*THREAD, *declared, *lines, *reads, STORE)


def loops(text: str) -> list[str]:
    return [line for line in text.splitlines() if "OpLoopMerge" in line]


def test_zeros_of_a_large_array_take_no_more_words() -> None:
    """Drivers store an initialiser element by element."""
    small, large = arrays(40), arrays(1000)
    assert len(small.splitlines()) == len(large.splitlines())
    (loop,) = loops(large)
    assert loop.endswith("DontUnroll")
    (variable,) = (line for line in large.splitlines() if "%x0 = OpVariable" in line)
    assert variable.endswith("Function")
    assert "OpConstantNull %_arr" not in large


def test_one_loop_stores_the_zeros_of_all_arrays_of_a_length() -> None:
    assert len(loops(arrays(40, 30, 40, 30, 40))) == 2
    assert len(loops(arrays(10, 10))) == 0
    one, two, three = (len(arrays(*[40] * n).splitlines()) for n in (1, 2, 3))
    assert three - two == two - one


def test_an_array_that_is_written_first_takes_no_zeros() -> None:
    writes = tuple(f"mov x0[{i}].xy, l({i + 7},2,0,0)" for i in range(40))
    text = arrays(40, lines=writes)
    assert not loops(text)
    assert "OpConstantNull" not in text
    assert loops(arrays(40, lines=writes[1:]))


FLOATS = (Path(__file__).parent / "data/emit.asm").read_text("utf-8")


@pytest.mark.parametrize("width", ["16", "32", "64"])
@pytest.mark.parametrize("left_out", ["denorm_preserve", "denorm_flush_to_zero"])
def test_float_modes_are_execution_modes_of_their_width(left_out: str, width: str) -> None:
    """Source: SPIR-V specification, "Execution Mode": DenormFlushToZero 32, and so on."""
    modes = {n for n in FLOAT_CONTROLS if n.endswith(width)} - {f"{left_out}_{width}"}
    listing = FLOATS
    if width == "16":  # halves are converted with all modes, in modules without doubles
        modes.add("denorm_preserve_16")
        listing = re.sub("dadd.*\n", "", FLOATS)
    options = translate.Options(float_controls=frozenset(modes), target="vulkan1.2")
    module = translate.to_spirv(translate.load(listing), options)
    declared = re.findall(r"OpExecutionMode %main (\w+ \d+)\n", module.text())
    assert set(declared) == {in_spirv(name) for name in modes}
    assert set(module.interface.float_controls) == modes


def in_spirv(name: str) -> str:
    """`rounding_mode_rte_32` as RoundingModeRTE 32."""
    *words, width = name.split("_")
    camel = "".join(word.upper() if word in ("rte", "rtz") else word.title() for word in words)
    return f"{camel} {width}"


@pytest.mark.parametrize(
    ("declaration", "capability"),
    [
        ("dcl_resource_buffer (uint,uint,uint,uint) t0", "SampledBuffer"),
        ("dcl_resource_texture1d (uint,uint,uint,uint) t0", "Sampled1D"),
        ("dcl_resource_texturecubearray (uint,uint,uint,uint) t0", "SampledCubeArray"),
        ("dcl_uav_typed_buffer (uint,uint,uint,uint) u1", "ImageBuffer"),
        ("dcl_uav_typed_texture1d (uint,uint,uint,uint) u1", "Image1D"),
        ("dcl_resource_texture2d (uint,uint,uint,uint) t0", None),
    ],
)
def test_capabilities_of_dimensions(declaration: str, capability: str | None) -> None:
    """Source: SPIR-V specification, "Dim". The validator does not ask for them."""
    register = declaration.rpartition(" ")[2]
    written = f"store_uav_typed {register}.xyzw, r0.xxxx, r0.xxxx"
    read = f"resinfo r0.xyzw, l(0), {register}.xyzw" if register == "t0" else written
    if "dcl_resource_buffer" in declaration:
        read = f"ld r0.xyzw, r0.xxxx, {register}.xyzw"
    store = "store_raw u0.xyzw, l(0), r0.xyzw"
    text = spirv(*THREAD, declaration, "mov r0.xyzw, l(0)", read, store)
    dimensions = {"SampledBuffer", "Sampled1D", "SampledCubeArray", "ImageBuffer", "Image1D"}
    declared = dimensions.intersection(re.findall(r"OpCapability (\w+)", text))
    assert declared == ({capability} if capability else set())
