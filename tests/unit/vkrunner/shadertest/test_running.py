"""Running tests: values in and out, probes of every form, and the reports of failing ones."""

import os
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vkrunner
from checks.driver import Driver, Layer
from vkrunner.shadertest.outcome import CHECK, DEVICE, ERROR, FAILED, INPUT, PASSED, SKIPPED

from .cases import COPY, STRUCTURED, outcome, outcomes

FOUR = "[srv 0]\n1 2 3 4\n[uav 0]\nsize (raw_buffer, 4)\n[test]\ndispatch 4 1 1\n"
FLOATS = FOUR.replace("1 2 3 4", "1.0 -0.0 nan 0x00000001")
THINGS = """[uav 0]
size (buffer, 3)
1.0 2.0 3 4 5  1.5 2.5 -3 -4 -5  0.0 0.0 6 7 8
[test]
dispatch 1 1 1
"""
TEXTURE = (Path(__file__).parent / "data/running_texture.txt").read_text("utf-8")

OFF = f"{0.25 - 60 / 255:.3g}"
PASSING = {  # a probe, and where a tolerance was needed, the numbers that differ and by how much
    "the whole": (COPY + FOUR, "all 1 2 3 4"),
    "one": (COPY + FOUR, "(2) 3"),
    "a range": (COPY + FOUR, "(1:3) 2 3"),
    "a range to the end": (COPY + FOUR, "(2:) 3 4"),
    "a range from the start": (COPY + FOUR, "(:2) (1, 2)"),
    "anything": (COPY + FOUR, "all 1 _ _ 4"),
    "a pattern": (COPY + FOUR, "all iota 1"),
    "a pattern with a step": (COPY + FOUR, "(1:4) iota 2 1"),
    "vkd3d's integers": (COPY + FOUR, "(3) rui(4)"),
    "hexadecimal": (COPY + FOUR, "(3) u32(0x4)"),
    "negative hexadecimal": (COPY + FOUR.replace("1 2 3 4", "-0xfff 2 3 4"), "(0) i32(-0xfff)"),
    "negative in other spellings": (COPY + FOUR.replace("1 2 3 4", "-0xfff 2 3 4"), "(0) -4095"),
    "an integer's tolerance": (COPY + FOUR, "all 2 abs 2", "3 of 4", "2"),
    "a tolerance that is not needed": (COPY + FOUR, "all 1 2 3 4 abs 1"),
    "anything, and a tolerance": (COPY + FOUR, "all 0 _ _ 4 abs 1", "1 of 2", "1"),
    "a float by its bits": (COPY + FLOATS, "(0) 0x3f800000"),
    "NaN": (COPY + FLOATS, "(2) f32(nan)"),
    "zeros of either sign": (COPY + FLOATS, "(1) r(0.0)"),
    "the bits of a zero": (COPY + FLOATS, "(1) f32(-0.0) bits"),
    "ULPs, as vkd3d has them": (COPY + FLOATS, "(0) r (1.0000001) 1", "1 of 1", "1 ulp"),
    "two ULPs": (COPY + FLOATS, "(0) f32(1.0000002) ulp 2", "1 of 1", "2 ulp"),
    "a relative tolerance": (COPY + FLOATS, "(0) f32(1.25) rel 0.25", "1 of 1", "0.25"),
    "special values": (COPY + FLOATS, "all f32(1.0 0.0 nan _) ulp 1"),
    "ULPs across 0": (COPY + FLOATS, "(3) f32(-0.0) ulp 1", "1 of 1", "1 ulp"),
    "a field": (STRUCTURED + THINGS, "all.tags 3 4 5 -3 -4 -5 6 7 8"),
    "a component": (STRUCTURED + THINGS, "(1).position.y 2.5"),
    "a structure for all": (STRUCTURED + THINGS, "(0:1) 1.0 2.0 3 4 5"),
    "by its HLSL name": (STRUCTURED + THINGS, "(2).tags.x 6"),
    "a texel": (TEXTURE, "(1, 0, 0) 10 15"),
    "a row": (TEXTURE, "(:, 1, 0) 30 35 40 45 50 55"),
    "a layer": (TEXTURE, "(0, 0, 1) 60 65"),
    "a normalised number": (TEXTURE, "(0, 0, 1).r 0.23529412 ulp 1"),
    "a tolerance of a texel": (TEXTURE, "(0, 0, 1).r 0.25 abs 0.1", "1 of 1", OFF),
    "a channel": (TEXTURE, "(0:2, 0, 0).g 5 15"),
}


@pytest.mark.parametrize("name", PASSING)
def test_probes_that_pass(machine: Any, name: str) -> None:
    text, probe, *differ = PASSING[name]
    found = outcome(machine, f"{text}probe uav 0 {probe}\n")
    assert found.status == PASSED, found.text()
    line = f"line {text.count(chr(10)) + 1}: u0: {' numbers differ, by '.join(differ)} at most"
    assert found.tolerated == ((line,) if differ else ())


FAILING = {
    "the whole": (COPY + FOUR, "all 1 2 4 4", "(2)  4         3"),
    "negative and unsigned": (COPY + FOUR, "(0) -1", "(0)  4294967295 (0xffffffff)  1"),
    "signed": (COPY + FOUR, "(0) ri(-1)", "(0)  -1        1"),
    "a float": (COPY + FLOATS, "(0) f32(1.0000002)", "(0)  1.0000002  1.0     2 ulp"),
    "a NaN": (COPY + FLOATS, "(2) f32(1.0) ulp 100", "(2)  1.0       nan (0x7fc00000)"),
    "another sign of zero": (COPY + FLOATS, "(1) f32(0.0) bits", "(1)  0.0       -0.0"),
    "a field": (STRUCTURED + THINGS, "(1).tags -3 -4 5", "(1).tags.z  5         -5"),
    "a vector": (STRUCTURED + THINGS, "(0).position 1.0 3.0", "(0).position.y  3.0       2.0"),
    "a texel": (TEXTURE, "(2, 1, 1) 110 116", "(2, 1, 1).g  116       115"),
    "all are one": (COPY + FOUR, "all 1", "(1)  1         2"),
    "beyond a tolerance": (COPY + FOUR, "all 1 abs 1", "(2)  1         3"),
}


@pytest.mark.parametrize("name", FAILING)
def test_probes_that_fail(machine: Any, name: str) -> None:
    text, probe, row = FAILING[name]
    found = outcome(machine, f"{text}probe uav 0 {probe}\n")
    assert (found.status, found.code, found.tolerated) == (FAILED, CHECK, ())
    (failure,) = found.failures
    assert failure.details[1] == row
    assert failure.where.line == text.count("\n") + 1


MISTAKES = {
    "outside": (COPY + FOUR, "(4) 1", "x is 4; there are 0 to 3"),
    "an empty range": (COPY + FOUR, "(3:3) 1", "x is 3:3; there are 0 to 3"),
    "too many coordinates": (COPY + FOUR, "(0, 0) 1", "expected 1 coordinates, (x), got 2"),
    "too many numbers": (COPY + FOUR, "all 1 2 3", "expected 4 numbers, or 1 for all, got 3"),
    "no such field": (STRUCTURED + THINGS, "(0).colour 1", "no .colour; it has .position.x"),
    "a fraction": (STRUCTURED + THINGS, "(0).tags.x 1.5", "1.5 is not an integer, as needed here"),
    "a series too large": (COPY + FOUR, f"(0) iota {2**63}", "iota has numbers of 64 bits at most"),
    "too large": (COPY + FOUR, "(0) 4294967296", "does not fit into 32 bits"),
    "bits with a sign": (COPY + FLOATS, "(0) f32(-0x3f800000)", "the bits of a float have no sign"),
    "too few components": (COPY + FOUR, "(0) rgba(1, 2, 3, 4)", "u0 has 1 numbers in an element"),
    "no doubles": (COPY + FOUR, "(0) rd(1.0)", "no doubles"),
    "no such layer": (TEXTURE, "(0, 0, 2) 1 2", "z is 2; there are 0 to 1"),
    "no such level": (TEXTURE, "level 1 (0, 0, 0) 1 2", "u0 has 1 levels"),
    "no such file": (COPY + FOUR, "all npy nowhere.npy", "nowhere.npy: No such file"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_probes_that_cannot_be(machine: Any, name: str) -> None:
    text, probe, message = MISTAKES[name]
    found = outcome(machine, f"{text}probe uav 0 {probe}\n")
    assert (found.status, found.code) == (ERROR, INPUT)
    assert message in found.failures[0].message


SECTIONS = {
    "no such register": ("[uav 3]\n1\n", "no resource 'u3'; the shader has t0, u0"),
    "another kind": ("[cb t0]\n1\n", "t0 is a raw buffer"),
    "not a texture": ("[srv 0]\nformat r32-float\nsize (2d, 1, 1)\n", "t0 is a buffer, in the"),
    "no format": ("[srv 0]\nformat r32-float\n1.0\n", "t0 is a raw buffer: it has no format"),
    "no stride": ("[srv 0]\nstride 4\n1.0\n", "t0 is a raw buffer: it has no stride"),
    "no size": ("[srv 0]\n", "t0 has neither size nor contents"),
    "a pattern without size": ("[srv 0]\niota\n", "Say the size of t0"),
    "too much": ("[srv 0]\nsize (buffer, 2)\n1 2 3\n", "expected 2 numbers, got 3"),
}


@pytest.mark.parametrize("name", SECTIONS)
def test_sections_that_do_not_fit(machine: Any, name: str) -> None:
    section, message = SECTIONS[name]
    found = outcome(machine, f"{COPY}{section}[test]\ndispatch 1 1 1\n")
    assert (found.status, found.code) == (ERROR, INPUT)
    assert message in found.failures[0].message
    assert found.failures[0].where.line in range(12, 16)


READS = {  # a shader of one resource, and its section
    "format": (
        "dcl_resource_buffer (float,float,float,float) t0",
        "size (buffer, 2)\nformat r32g32b32a32-uint",
        "t0 is read as float, but r32g32b32a32_uint is uint: write `format r32g32b32a32-float`",
    ),
    "no such format": (
        "dcl_uav_typed_texture2d (uint,uint,uint,uint) u0",
        "size (2d, 1, 1)\nformat r11g11b10-float",
        "u0 is read as uint, but r11g11b10_float is float",
    ),
    "dimension": (
        "dcl_resource_texture2d (float,float,float,float) t0",
        "size (3d, 2, 2, 2)\nformat r32-float",
        "t0 is a 2d texture in the shader, not a 3d: write `size (2d, ...)`",
    ),
}


def test_the_error_of_a_number_of_values_names_the_format(machine: Any) -> None:
    found = outcome(machine, TEXTURE + "probe uav 0 (0, 0, 0) 1 2 3\n")
    message = "expected 1 element of 2 numbers (r8g8_unorm), got 3 numbers"
    assert found.failures[0].message == message


@pytest.mark.parametrize("name", READS)
def test_texels_that_the_shader_reads_otherwise(device: Any, name: str) -> None:
    """The error is at the section, and says the line to write."""
    declaration, lines, message = READS[name]
    section = "uav" if "u0" in declaration else "srv"
    shader = f"[shader]\ncs_5_0\n{declaration}\ndcl_thread_group 1, 1, 1\nret\n"
    found = outcome(device, f"{shader}[{section} 0]\n{lines}\n[test]\ndispatch 1 1 1\n")
    (failure,) = found.failures
    assert (found.code, failure.where.line, failure.message) == (INPUT, 6, message)
    assert failure.source_line == f"[{section} 0]"


@pytest.mark.parametrize(
    ("values", "integer"),
    [("1.5 2", "2"), ("-3 0.5", "-3"), ("1 2", ""), ("1.5 0", ""), ("1.5 0x1", "")],
)
def test_integers_beside_floats(machine: Any, values: str, integer: str) -> None:
    """In a raw buffer the spelling decides; `type` decides too, and silences the warning."""
    text = f"[srv 0]\n{values}\n[uav 0]\n0 0\n[test]\ndispatch 1 1 1\n"
    found = outcome(machine, COPY + text)
    assert found.status == PASSED
    assert len(found.warnings) == bool(integer)
    if integer:
        column = f"{values} ".index(f"{integer} ") + 1
        head = f"a.shader_test:13:{column}: warning: {integer} is an integer beside floats: write"
        assert found.warnings[0].startswith(f"{head} {integer}.0")
    typed = text.replace("[srv 0]\n", "[srv 0]\ntype float\n")
    assert not outcome(machine, COPY + typed).warnings


CONSTANTS = (Path(__file__).parent / "data/constants.txt").read_text("utf-8")


def test_constants_that_may_be_left_out(machine: Any) -> None:
    """Those that the shader does not read are 0, and those with an initialiser have that."""
    test = "[test]\ndispatch 1 1 1\n"
    for lines, expected in (
        ("drag = 0.5\n", "0.5 0 0 3"),
        ("drag = 0.5\nscale = 7\npadding = 1 2\n", "0.5 1.0 2.0 7"),
    ):
        found = outcome(machine, f"{CONSTANTS}{lines}{test}probe uav 0 all {expected}\n")
        assert not found.failures, found.text()
    found = outcome(machine, f"{CONSTANTS}scale = 7\n{test}")
    assert found.failures[0].message == "cb0 (Step) lacks drag"


@pytest.mark.parametrize(
    ("lines", "caret", "cure"),
    [
        ("2 0 0 0 0", "2", "drag is a float: write 2.0, or 0x2 for its bits"),
        ("-1 0 0 0 0", "-1", "drag is a float: write -1.0, or 0xffffffff for its bits"),
        ("ones", "ones", "drag is a float, ones makes integers"),
        ("2.0 0 0 0 7", "", ""),
        ("0x3f000000 0 0 0 7", "", ""),
        ("0 0 0 0 7", "", ""),
        ("iota 0.0 1.0", "", ""),
        ("type uint\n2 0 0 0 0", "", ""),
    ],
)
def test_integers_at_the_places_of_floats(machine: Any, lines: str, caret: str, cure: str) -> None:
    """Their bits would be another number: 2 is 2.8e-45. Without names nothing is known."""
    found = outcome(machine, f"{CONSTANTS}{lines}\n[test]\ndispatch 1 1 1\n")
    assert [failure.message[: len(cure)] for failure in found.failures] == ([cure] if cure else [])
    for failure in found.failures:
        assert (failure.source_line, failure.where.column) == (lines, 1)
        assert failure.where.length == len(caret)


def test_a_missing_file_names_a_similar_one(machine: Any, folder: Path) -> None:
    (folder / "blur.asm").touch()
    (failure,) = outcome(machine, f"[shader]\nfile blurr.asm\n{FOUR}").failures
    message = "blurr.asm: No such file or directory; did you mean blur.asm?"
    assert failure.message.endswith(message)
    assert (failure.where.line, failure.where.column, failure.code) == (2, 6, INPUT)


def test_each_test_starts_with_new_resources(machine: Any) -> None:
    untouched = "probe uav 0 all 1 2 3 4\n[test untouched]\nprobe uav 0 all 0\n"
    again = "[srv 0]\n5 6 7 8\n[test again]\ndispatch 4 1 1\nprobe uav 0 all 5 6 7 8\n"
    found = outcomes(machine, COPY + FOUR + untouched + again)
    assert [each.status for each in found] == [PASSED] * 3


def test_random_numbers_are_pcg64s(machine: Any) -> None:
    bits = (np.random.PCG64(9).random_raw(3) >> np.uint64(32)).tolist()
    text = FOUR.replace("1 2 3 4", "size (buffer, 3)\nrandom 9")
    probe = f"probe uav 0 (0:3) {' '.join(str(n) for n in bits)}\n"
    assert outcome(machine, COPY + text + probe).status == PASSED
    low_high = FOUR.replace("1 2 3 4", "size (buffer, 3)\nrandom 9 -5 5")
    expected = [(n * 10 >> 32) - 5 for n in bits]
    probe = f"probe uav 0 (0:3) ri ({' '.join(str(n) for n in expected)})\n"
    assert outcome(machine, COPY + low_high + probe).status == PASSED


@pytest.mark.parametrize(("low", "high"), [("-1", "1"), ("-1.0", "1"), ("16777215", "16777216")])
def test_random_floats(machine: Any, low: str, high: str) -> None:
    """Those of a float type need no point in the bounds. The upper one is not reached: between the
    last two bounds float32 has no number, so that half of them would be rounded up.
    """
    raw = np.random.PCG64(9).random_raw(40) >> np.uint64(32)
    exact = float(low) + raw / 2**32 * (float(high) - float(low))
    below = np.nextafter(np.float32(high), np.float32(0))
    expected = np.minimum(exact.astype(np.float32), below).tolist()
    text = f"{COPY}{FOUR.replace('4 1 1', '40 1 1').replace('buffer, 4', 'buffer, 40')}"
    text = text.replace("1 2 3 4", f"size (buffer, 40)\ntype float\nrandom 9 {low} {high}")
    found = outcome(machine, f"{text}probe uav 0 all f32({' '.join(map(str, expected))}) bits\n")
    assert found.status == PASSED, found.text()
    wrong = outcome(machine, text.replace(f"{low} {high}", f"{high} {low}"))
    assert wrong.failures[0].message == "the second bound is larger than the first"


def test_arrays_from_files(machine: Any, folder: Path) -> None:
    np.save("in.npy", np.array([1, 2, 3, 4], np.float32))
    np.save("twice.npy", np.arange(8, dtype=np.float64))
    text = COPY + FOUR.replace("1 2 3 4", "npy in.npy")
    assert outcome(machine, f"{text}probe uav 0 all 1.0 2.0 3.0 4.0\n").status == PASSED
    assert outcome(machine, f"{text}probe uav 0 all npy in.npy\n").status == PASSED
    found = outcome(machine, f"{text}probe uav 0 all npy twice.npy\n")
    assert "an array of float64 in a place for numbers of 4 bytes" in found.failures[0].message


@pytest.mark.parametrize(
    ("shape", "fits"),
    [
        *(((2, 2, 3, 2), True), ((12, 2), True), ((24,), True), ((2, 2, 6), False)),
        *(((3, 2, 2, 2), False), ((2, 3, 2, 2), False), ((1, 2, 2, 3, 2), True)),
    ],
)
def test_the_shape_of_a_textures_file(
    machine: Any, folder: Path, shape: tuple[int, ...], fits: bool
) -> None:
    """It has the texture's slices, rows and columns, or is flat."""
    np.save("in.npy", np.arange(24, dtype=np.uint8).reshape(shape))
    filled = TEXTURE.replace("iota 0 5", "npy in.npy")
    probed = f"{TEXTURE.replace('iota 0 5', 'iota 0 1')}probe uav 0 all npy in.npy\n"
    for text in (filled, probed):
        found = outcome(machine, text)
        assert (found.status == PASSED) == fits, found.text()
        assert fits or "elements, rows first, not 2 x 2 x 3" in found.text()


IN_FILES = {  # a word of a file -> a test with the file in.npy
    "npy": COPY + FOUR.replace("1 2 3 4", "npy in.npy"),
    "image": TEXTURE.replace("iota 0 5", "image in.npy"),
    "probe": f"{COPY}{FOUR}probe uav 0 all npy in.npy\n",
    "file": f"[shader]\nfile in.npy\n{FOUR}",
}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names")
@pytest.mark.parametrize("word", IN_FILES)
def test_a_pipe_in_place_of_a_file(machine: Any, folder: Path, word: str) -> None:
    os.mkfifo("in.npy")
    assert "in.npy: not a regular file" in outcome(machine, IN_FILES[word]).failures[0].message


@pytest.mark.parametrize("data", [b"root:x:0:0\n", b"\0root\xff", b"root\0"])
@pytest.mark.parametrize("word", IN_FILES)
def test_wrong_files_are_not_shown(machine: Any, folder: Path, word: str, data: bytes) -> None:
    (folder / "in.npy").write_bytes(data)
    found = outcome(machine, IN_FILES[word])
    assert (found.status, found.code) == (ERROR, INPUT)
    kind = {"image": "cannot identify image file", "file": "in.npy"}
    assert kind.get(word, "in.npy is not a .npy file") in found.text()
    assert "root" not in found.text()


def test_sizes_of_compressed_textures_are_in_texels(machine: Any) -> None:
    """Numbers are the bytes of blocks; a probe's place is a block."""
    blocks = (
        TEXTURE.replace("dcl_uav_typed_texture2darray", "dcl_resource_texture2darray")
        .replace(") u0", ") t0")
        .replace("[uav 0]", "[srv 0]")
        .replace("r8g8-unorm", "bc4-unorm")
        .replace("iota 0 5", "iota 0 1\nlevels 3")
    )
    good = blocks.replace("3, 2, 2", "8, 4, 2") + "probe srv 0 (1, 0, 1)[2] (26)\n"
    good += "probe srv 0 level 2 (0, 0, 1)[7] (63)\n"
    assert outcome(machine, good).status == PASSED, outcome(machine, good).text()
    found = outcome(machine, blocks.replace("3, 2, 2", "8, 6, 2"))
    assert (found.status, found.code) == (ERROR, INPUT)
    assert "a.shader_test:8:6: error: bc4_unorm has whole blocks of 4 by 4 texels" in found.text()


def test_an_expected_error(machine: Any) -> None:
    broken = COPY.replace("store_raw u0.x", "store_raw u0.xz")
    assert outcome(machine, f"{broken}[test]\nerror a.shader_test:10:\n").status == PASSED
    found = outcome(machine, f"{broken}[test]\nerror something else\n")
    assert found.status == FAILED
    assert "it is refused with another error" in found.text()
    found = outcome(machine, f"{COPY}{FOUR}error xz\n")
    assert "no error came" in found.failures[0].message
    assert found.failures[0].where.line == 18


def test_an_error_of_the_listing_has_the_line_of_the_file(machine: Any) -> None:
    found = outcome(machine, f"% one\n{COPY.replace('ishl', 'isl')}{FOUR}")
    assert (found.status, found.code) == (ERROR, INPUT)
    assert str(found.failures[0].where).startswith("a.shader_test:9:")


def test_requirements(machine: Any) -> None:
    def run(line: str) -> str:
        found = outcome(machine, f"[require]\n{line}\n{COPY}{FOUR}")
        return found.reason or found.status

    assert run("float64") == PASSED
    assert run("timestamps") == "reference machine lacks timestamps"
    assert run("max_workgroup_count.x >= 65535") == PASSED
    assert run("max_samplers < 1").startswith("needs max_samplers < 1; reference machine has")
    assert run("device reference") == PASSED
    assert run("not device reference") == "not for reference machine"
    assert run("shader model >= 5.0") == PASSED
    assert "needs shader model >= 6" in run("shader model >= 6.0")
    assert outcome(machine, f"[require]\ntimestamps\n{COPY}{FOUR}").status == SKIPPED


class Around:
    """An object with the attributes of another one, except those given."""

    def __init__(self, inner: Any, **instead: Any):
        self._inner = inner
        vars(self).update(instead)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)


def around_dispatch(device: Any, after: Callable[[dict[str, Any]], None]) -> Any:
    """The device, whose kernels call `after` with their bindings after each dispatch."""

    def make(*arguments: Any, **options: Any) -> Any:
        kernel = device.kernel(*arguments, **options)

        def dispatch(*given: Any, bindings: dict[str, Any], **more: Any) -> Any:
            result = kernel.dispatch(*given, bindings=bindings, **more)
            after(bindings)
            return result

        return Around(kernel, dispatch=dispatch)

    return Around(device, kernel=make)


def test_an_unexpected_error_is_reported(machine: Any) -> None:
    def broken(bindings: dict[str, Any]) -> None:
        raise KeyError("gone")

    found = outcome(around_dispatch(machine, broken), f"{COPY}{FOUR}probe uav 0 all 1\n")
    assert (found.status, found.code) == (ERROR, DEVICE)
    assert "internal error: KeyError: 'gone'" in found.text()
    assert "Traceback" in found.text()


def test_a_message_of_the_layer_is_a_failure(device: Any, driver: Driver) -> None:
    layer = Layer(driver)
    with vkrunner.open_device(device.info.index, validation=True) as own:
        speaking = around_dispatch(own, lambda _: layer.say("VUID-something"))
        found = outcome(speaking, f"{COPY}{FOUR}probe uav 0 all 1\n")
    assert (found.status, found.code) == (ERROR, DEVICE)
    messages = [failure.details for failure in found.failures if failure.code == DEVICE]
    assert messages == [("VUID-something",)]
    assert vkrunner.validation_messages() == []


def test_the_guard_region_is_checked(machine: Any) -> None:
    """Writes around the view are simulated: only a faulty driver makes them."""

    def careless(bindings: dict[str, Any]) -> None:
        buffer = bindings["u0"].buffer
        data = buffer.read()
        data[[4, 8 + 4 * 4 + 1]] ^= 0xFF
        buffer.write(data)

    text = COPY + FOUR.replace("size (raw", "guard 2\nsize (raw")
    found = outcome(around_dispatch(machine, careless), f"{text}probe uav 0 all 1 2 3 4\n")
    assert found.status == FAILED
    (failure,) = found.failures
    assert "the guard region around the view was written to" in failure.message
    assert failure.details[0].startswith("4 bytes in front of the view: was 0xc1, is 0x3e")
    assert failure.details[1].startswith("1 bytes after the view: was")
    assert failure.details[2] == "2 bytes in all"


@pytest.mark.parametrize(
    ("section", "probe", "after", "column", "message"),
    [
        ("[srv things]", "uav things", 1, 1, "things is u0: write [uav things]"),
        ("[uav things]", "srv things", 6, 7, "things is u0: write uav things"),
    ],
)
def test_an_hlsl_name_of_the_other_class(
    machine: Any, section: str, probe: str, after: int, column: int, message: str
) -> None:
    text = f"{STRUCTURED}{section}\n{'0 ' * 10}\n\n[test]\ndispatch 1 1 1\n"
    found = outcome(machine, f"{text}probe {probe} all.tags zeros\n")
    (failure,) = found.failures
    place = (STRUCTURED.count("\n") + after, column)
    assert found.status == "error"
    assert (failure.where.line, failure.where.column) == place
    assert failure.message == message


def test_a_resource_called_uav(machine: Any) -> None:
    text = STRUCTURED.replace("for things", "for uav").replace("things UAV", "uav UAV")
    text += f"[uav uav]\n{'0 ' * 10}\n[test]\ndispatch 1 1 1\nprobe uav uav all.tags zeros\n"
    assert not outcome(machine, text).failures


RANGE = (Path(__file__).parent / "data/running_range.txt").read_text("utf-8")


def test_a_long_range_takes_memory_for_what_is_bound(machine: Any) -> None:
    tracemalloc.start()
    try:
        found = outcome(machine, RANGE.format(100_000_000, 7))
        assert tracemalloc.get_traced_memory()[1] < 10e6
    finally:
        tracemalloc.stop()
    assert found.status == "passed"


def test_a_resource_far_up_in_a_range(machine: Any) -> None:
    """The null resources below it would take memory."""
    found = outcome(machine, RANGE.format("*", 4_000_000_000))
    (failure,) = found.failures
    assert "65536" in failure.message
    assert failure.where.line == 7
