"""`sm5vk diff`: two runs on the same inputs, and what it says of their results."""

import json
import struct
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import vkrunner
from vkrunner.__main__ import main

from .conftest import SAXPY, SHADERS, Call
from .test_picture import COPY, Terminal, pixels

ON_REFERENCE = ("--device", "reference")
RUN = ("--groups", "1", "--x", "arange:8:f4", "--y", "ones:8:f4", "--Params", "a=2,count=8")
# The number of each of 4 threads, from -2 on
NUMBERS = (Path(__file__).parent / "data/diff_numbers.asm").read_text("utf-8")
OPERATIONS = {
    "same": "mov r0.x, r0.x",
    "negative": "mul r0.x, r0.x, l(-1.0)",
    "half": "add r0.x, r0.x, l(0.5)",
    "root": "sqrt r0.x, r0.x",
    "next": "mul r0.x, r0.x, l(1.00000012)",
    "infinite": "div r0.x, r0.x, l(0)",
    "integer": "ftoi r0.x, r0.x",
    "less": "ftoi r0.x, r0.x\niadd r0.x, r0.x, l(-2147483648)",
}


@pytest.fixture
def shaders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder, with the shaders of `OPERATIONS` as NAME.asm."""
    for name, operation in OPERATIONS.items():
        (tmp_path / f"{name}.asm").write_text(NUMBERS.replace("OPERATION", operation))
    (tmp_path / "copy.asm").write_text(COPY)
    (tmp_path / "steep.asm").write_text(COPY.replace("l(0.25, ", "l(0.5, "))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def compared(a: str, b: str, *options: str, dtype: str = "f4") -> tuple[str, ...]:
    resource = ("--groups", "1", "--u0", f"zeros:4:{dtype}")
    return "diff", f"{a}.asm", f"{b}.asm", *resource, *ON_REFERENCE, *options


def test_a_shader_on_two_devices(call: Call, device: vkrunner.Device) -> None:
    code, out, err = call("diff", SAXPY, *RUN, "--against", *ON_REFERENCE)
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        f"A {SAXPY} on {device.name}",
        f"B {SAXPY} on reference machine --device reference",
        "u0 (y): equal",
    ]


def test_a_shader_with_two_options(call: Call, device: vkrunner.Device) -> None:
    """Without guards, the words after --against replace and complete those before it."""
    words = ("diff", SAXPY, *RUN, "--guards", "d3d", "--json", "--against", "--guards=off")
    code, out, _ = call(*words)
    data = json.loads(out)
    assert (code, data["equal"]) == (0, True)
    assert (data["a"]["options"], data["b"]["options"]) == ("", "--guards=off")
    code, _, err = call(*words, "--groups", "0,1,1,1")
    assert (code, "--groups takes X, X,Y or X,Y,Z" in err) == (2, True)


def test_a_container_and_its_listing(call: Call) -> None:
    listing = SAXPY.with_suffix(".asm")
    code, out, err = call("diff", SAXPY, listing, *RUN, *ON_REFERENCE)
    assert (code, err, out.splitlines()[-1]) == (0, "", "u0 (y): equal")


def test_numbers_that_differ(call: Call, shaders: Path) -> None:
    """NaN and a number differ; 0 and -0 differ only in bits."""
    code, out, err = call(*compared("root", "negative"))
    assert (code, err) == (1, "")
    assert out.splitlines()[2:] == [
        "u0: 3 of 4 numbers differ; the greatest difference is 2 (2,130,706,432 ulp) at u0[3];"
        " NaN in one run alone: 2; equal numbers (NaN, 0) with different bits: 1",
        "  at     A                 B",
        "  u0[0]  nan (0x7fc00000)  2.0",
        "  u0[1]  nan (0x7fc00000)  1.0",
        "  u0[3]  1.0               -1.0",
    ]
    code, out, _ = call(*compared("root", "negative", "--bits"))
    assert (code, "4 of 4 numbers differ" in out) == (1, True)
    assert "  u0[2]  0.0               -0.0" in out.splitlines()
    code, out, _ = call(*compared("root", "root", "--bits"))
    assert (code, out.splitlines()[2:]) == (0, ["u0: equal"])


def test_tolerances(call: Call, shaders: Path) -> None:
    """-2, -1 and 1 times the float after 1."""
    code, out, _ = call(*compared("same", "next"))
    distance = "the greatest difference is 2.38419e-07 (1 ulp) at u0[0]"
    assert (code, out.splitlines()[2]) == (1, f"u0: 3 of 4 numbers differ; {distance}")
    assert out.splitlines()[4].split() == ["u0[0]", "-2.0", "-2.0000002", "1", "ulp"]
    for tolerance in (
        ("--ulp", "1"),
        ("--ulp", str(1 << 64)),
        ("--rtol", "1.2e-7"),
        ("--atol", "2.4e-7"),
    ):
        code, out, _ = call(*compared("same", "next", *tolerance))
        assert (code, out.splitlines()[2:]) == (0, [f"u0: equal; within the tolerance, {distance}"])
    code, out, _ = call(*compared("same", "next", "--atol", "1.2e-7"))
    assert (code, out.splitlines()[2]) == (1, f"u0: 1 of 4 numbers differ; {distance}")


def test_the_greatest_differences_have_two_places(call: Call, shaders: Path) -> None:
    """All numbers differ by 0.5; most floats lie between 0 and 0.5."""
    code, out, _ = call(*compared("same", "half"))
    assert (code, out.splitlines()[2]) == (
        1,
        "u0: 4 of 4 numbers differ; the greatest differences are"
        " 0.5 at u0[0] and 1,056,964,608 ulp at u0[2]",
    )
    _, out, _ = call(*compared("same", "half", "--json"))
    found = json.loads(out)["results"]["u0"]
    assert (found["greatest_difference_at"], found["greatest_ulp_at"]) == ("u0[0]", "u0[2]")


def test_infinities(call: Call, shaders: Path) -> None:
    """0 / 0 is a NaN; infinity is nearer to no number."""
    code, out, _ = call(*compared("infinite", "same", "--atol", "1e30"))
    assert code == 1
    assert out.splitlines()[2].startswith(
        "u0: 4 of 4 numbers differ; the greatest difference is inf at u0[0];"
        " NaN in one run alone: 1"
    )


def test_integers(call: Call, shaders: Path) -> None:
    """Their differences are exact; they have no ULPs."""
    code, out, _ = call(*compared("integer", "less", "--json", dtype="u4"))
    found = json.loads(out)["results"]["u0"]
    assert (code, found["dtype"], found["differ"]) == (1, "uint32", 4)
    greatest = [
        found[f"greatest_{name}"] for name in ("difference", "difference_at", "ulp", "ulp_at")
    ]
    assert greatest == [2**31, "u0[0]", None, None]
    assert (found["nan_in_one"], found["different_bits_alone"]) == (0, 0)
    assert found["first"] == {"at": "u0[0]", "index": [0], "a": 2**32 - 2, "b": 2**31 - 2}
    code, out, _ = call(*compared("integer", "less", dtype="i4"))
    assert out.splitlines()[4].split()[:2] == ["u0[0]", "-2"]
    code, out, _ = call(*compared("integer", "less", "--atol", str(2**31), dtype="i4"))
    text = "u0: equal; within the tolerance, the greatest difference is 2,147,483,648 at u0[0]"
    assert (code, out.splitlines()[2:]) == (0, [text])


def test_the_json_of_floats(call: Call, shaders: Path) -> None:
    code, out, _ = call(*compared("root", "negative", "--json"))
    data = json.loads(out)
    assert [*data] == ["equal", "a", "b", "tolerance", "results", "not_compared"]
    assert (code, data["equal"], data["not_compared"]) == (1, False, {"a": [], "b": []})
    run = {"device": "reference machine", "options": ""}
    assert (data["a"], data["b"]) == (
        {"source": "root.asm"} | run,
        {"source": "negative.asm"} | run,
    )
    assert data["tolerance"] == {"rtol": 0.0, "atol": 0.0, "ulp": 0, "bits": False}
    found = data["results"].pop("u0")
    assert not data["results"]
    assert found.pop("first") == {"at": "u0[0]", "index": [0], "a": "nan", "b": 2.0}
    assert found == {
        **{"name": None, "dtype": "float32", "shape": [4], "numbers": 4, "differ": 3},
        **{"greatest_difference": 2.0, "greatest_difference_at": "u0[3]"},
        **{"greatest_ulp": 2130706432, "greatest_ulp_at": "u0[3]"},
        **{"nan_in_one": 2, "different_bits_alone": 1},
    }


PICTURES = ("diff", "copy.asm", "steep.asm", "--groups", "1,2", *ON_REFERENCE)
TEXTURE = ("--u0", "zeros:3x4:r8g8b8a8_unorm")


def test_a_picture_of_the_differences(
    call: Call, shaders: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Red is 0, 1/4, 1/2 and 3/4 in A, 0, 1/2, 1 and 1 in B."""
    red_a, red_b = (np.rint(np.array(red) * 255) for red in ([0, 0.25, 0.5, 0.75], [0, 0.5, 1, 1]))
    apart = np.abs(red_a - red_b)
    shares = np.where(apart > 0, 64 + 191 * apart / apart.max(), 0)
    expected = np.repeat(np.rint(shares)[np.newaxis], 3, axis=0).astype(np.uint8)
    code, out, _ = call(*PICTURES, *TEXTURE, "-o", "u0=apart.png")
    assert (code, "u0[0, 1, 0]  64   128" in out) == (1, True)
    np.testing.assert_array_equal(np.array(Image.open("apart.png")), expected)
    call(*PICTURES, *TEXTURE, "-o", "again.png")
    assert Path("again.png").read_bytes() == Path("apart.png").read_bytes()

    monkeypatch.setenv("COLORTERM", "truecolor")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    terminal = Terminal()
    monkeypatch.setattr("sys.stdout", terminal)
    assert main([*PICTURES, *TEXTURE]) == 1
    head = "u0: 4 x 3 texels, black equal, white a difference of 127\n"
    picture = pixels(terminal.getvalue().partition(head)[2])
    np.testing.assert_array_equal(picture, np.repeat(expected[..., np.newaxis], 3, axis=2))


def test_a_picture_shows_nans_and_bits(call: Call, shaders: Path) -> None:
    """A pixel for each of four texels: NaN, NaN, different bits, a difference of 2."""
    texture = {
        "dcl_uav_structured u0, 4": "dcl_uav_typed_texture2d (float,float,float,float) u0",
        "dcl_temps 1": "dcl_temps 2",
        "itof r0": "mov r1.xyzw, l(0, 0, 0, 0)\nmov r1.x, vThreadID.x\nitof r0",
        "store_structured u0.x, vThreadID.x, l(0)": "store_uav_typed u0.xyzw, r1.xyyy",
        "yyy, r0.x": "yyy, r0.xxxx",
    }
    for name in ("root", "negative"):
        text = Path(f"{name}.asm").read_text()
        for old, new in texture.items():
            text = text.replace(old, new)
        Path(f"{name}_2d.asm").write_text(text)
    words = ("diff", "root_2d.asm", "negative_2d.asm", "--groups", "1", *ON_REFERENCE)
    resource = ("--u0", "zeros:1x4:r32_float", "--bits", "-o", "apart.png")
    code, out, err = call(*words, *resource)
    assert (code, err) == (1, "")
    assert "4 of 4 numbers differ" in out
    assert np.array(Image.open("apart.png")).tolist() == [[255, 255, 64, 255]]


def test_no_picture(call: Call, shaders: Path) -> None:
    cases = {
        "u0=apart.jpg": "-o writes a .png file, not .jpg",
        "apart": "-o writes a .png file, not one without a suffix",
        "u0=-": "-o names a file: standard output has the comparison",
        "u1=apart.png": "no resource 'u1'; the shader has u0",
    }
    for target, text in cases.items():
        code, _, err = call(*PICTURES, *TEXTURE, "-o", target)
        assert (code, text in err) == (2, True)
    code, _, err = call(*compared("same", "next"), "-o", "apart.png")
    message = "-o needs one two-dimensional texture; the results have none\n"
    assert (code, err.endswith(message)) == (2, True)
    code, _, err = call(*compared("same", "next"), "-o", "u0=apart.png")
    message = "-o: u0 is no two-dimensional texture; these are: none\n"
    assert (code, err.endswith(message)) == (2, True)
    assert not list(shaders.glob("*.png"))


def test_several_textures(call: Call, shaders: Path) -> None:
    text = COPY.replace(
        "dcl_input", "dcl_uav_typed_texture2d (unorm,unorm,unorm,unorm) u1\ndcl_input"
    )
    text = text.replace("ret\n", "store_uav_typed u1.xyzw, vThreadID.xyyy, r0.yxzw\nret\n")
    Path("two.asm").write_text(text)
    Path("other.asm").write_text(text.replace("r0.yxzw", "r0.xyzw"))
    both = (*TEXTURE, "--u1", TEXTURE[1])
    words = ("diff", "two.asm", "other.asm", "--groups", "1,2", *both, *ON_REFERENCE)
    code, _, err = call(*words, "-o", "apart.png")
    message = "the results have u0, u1: name one, -o u0=apart.png\n"
    assert (code, err.endswith(message)) == (2, True)
    code, out, _ = call(*words, "-o", "u1=apart.png")
    assert (code, out.splitlines()[2]) == (1, "u0: equal")
    assert np.array(Image.open("apart.png")).any()


def test_other_resources(call: Call, shaders: Path) -> None:
    """The error says which run lacks what."""
    average = SHADERS / "moving_average.dxbc"
    code, out, err = call("diff", SAXPY, average, *RUN, *ON_REFERENCE)
    assert (code, out) == (2, "")
    start = f"sm5vk: error: B, {average}: no resource 'x'; the shader has cb0 (Params)"
    assert err.startswith(start)
    code, _, err = call("diff", average, SAXPY, *RUN, *ON_REFERENCE)
    assert err.startswith(f"sm5vk: error: A, {average}: no resource 'x'")
    assert "--ignore-unused each run gets those that its shader has" in err
    code, _, err = call(*compared("same", "next", "--u1", "zeros:4", "--ignore-unused"))
    assert code == 1
    text = Path("same.asm").read_text()
    Path("more.asm").write_text(text.replace("dcl_input", "dcl_uav_structured u1, 4\ndcl_input"))
    code, _, err = call(*compared("same", "more"))
    assert (code, "B, more.asm: missing: u1, a structured buffer" in err) == (2, True)
    for names, alone in ((("same", "more"), "B"), (("more", "same"), "A")):
        words = compared(*names, "--u1", "zeros:4", "--ignore-unused")
        code, out, err = call(*words)
        assert (code, err) == (0, "")
        lines = ["u0: equal", f"u1: not compared, a result of {alone} alone"]
        assert out.splitlines()[2:] == lines
        data = json.loads(call(*words, "--json")[1])
        assert (data["not_compared"], [*data["results"]]) == (
            {"a": [], "b": []} | {alone.lower(): ["u1"]},
            ["u0"],
        )
    assert call(*compared("next", "more", "--u1", "zeros:4", "--ignore-unused"))[0] == 1
    words = compared("same", "more", "--ignore-unused")
    code, _, err = call(*words, "--u1", "zeros:4", "--u2", "zeros:4")
    assert code == 0
    Path("other.asm").write_text(text.replace("u0", "u1"))
    code, out, err = call(*compared("same", "other", "--u1", "zeros:4", "--ignore-unused"))
    assert (code, out, err) == (2, "", "sm5vk: error: u0 is a result of A alone\n")


def test_other_registers(call: Call, tmp_path: Path) -> None:
    """A name binds a resource in whatever register each shader has it."""
    moved = (SHADERS / "saxpy.asm").read_text().replace("u0", "u3")
    (tmp_path / "moved.asm").write_text(moved)
    code, out, err = call("diff", SAXPY, tmp_path / "moved.asm", *RUN, *ON_REFERENCE)
    assert (code, err, out.splitlines()[-1]) == (0, "", "u0 (y): equal")


def test_constants_of_a_shader_with_names_and_one_without(call: Call, shaders: Path) -> None:
    listing = SAXPY.with_suffix(".asm").read_text().splitlines(keepends=True)
    (shaders / "bare.asm").write_text("".join(line for line in listing if line[:2] != "//"))
    given = ("--groups", "1", "--t0", "arange:8:f4", "--u0", "ones:8:f4")
    words = ("diff", SAXPY, "bare.asm", *given)
    code, _, err = call(*words, *ON_REFERENCE, "--cb0", "a=2,count=8")
    assert code == 2
    assert "B, bare.asm: cb0 takes an array, or bytes, such as a .raw file: " in err
    (shaders / "c.raw").write_bytes(struct.pack("<fIII", 2, 8, 0, 0))
    code, out, _ = call(*words, *ON_REFERENCE, "--cb0", "c.raw")
    assert (code, out.splitlines()[-1]) == (0, "u0 (y): equal")


def test_types_that_differ(call: Call, tmp_path: Path) -> None:
    """Without names a shader has no types: `arange` would be integers, and results differ."""
    lines = (SHADERS / "saxpy.asm").read_text().splitlines(keepends=True)
    (tmp_path / "bare.asm").write_text("".join(one for one in lines if not one.startswith("//")))
    words = ("diff", SAXPY, tmp_path / "bare.asm", "--groups", "1", "--cb0", "zeros", *ON_REFERENCE)
    code, out, err = call(*words, "--t0", "arange:8", "--u0", "ones:8")
    assert (code, out) == (2, "")
    text = "t0 is float32[8] in A and uint32[8] in B: name its DTYPE, as in zeros:1024:f4\n"
    assert err == f"sm5vk: error: {text}"
    code, out, _ = call(*words, "--t0", "arange:8:f4", "--u0", "ones:8:f4")
    assert (code, out.splitlines()[-1]) == (0, "u0 (y): equal")


COUNTED = (Path(__file__).parent / "data/diff_counted.asm").read_text("utf-8")


def test_counters(call: Call, tmp_path: Path) -> None:
    paths = [tmp_path / f"{times}.asm" for times in (3, 4)]
    for times, path in zip((3, 4), paths, strict=True):
        path.write_text(COUNTED.replace("TIMES", str(times)))
    code, out, _ = call("diff", *paths, "--groups", "1", "--u0", "zeros:8", *ON_REFERENCE)
    assert code == 1
    assert out.splitlines()[2:] == [
        "u0: 1 of 8 numbers differ; the greatest difference is 7 at u0[3]",
        "  at     A  B",
        "  u0[3]  0  7",
        "u0.counter: 1 of 1 numbers differ; the greatest difference is 1 at u0.counter",
        "  at          A  B",
        "  u0.counter  3  4",
    ]


USAGE = {
    "same.asm": "diff takes two shaders, or --against with options of the second run",
    "same.asm --against": "diff takes two shaders, or --against",
    "- next.asm": "diff reads its inputs twice: name a file instead of -",
    "same.asm next.asm --t0 -:r32_float": "diff reads its inputs twice",
    "same.asm next.asm --ulp -1": "--ulp takes a number from 0 on, not -1",
    "same.asm next.asm --rtol nan": "--rtol takes a number from 0 on, not nan",
    "same.asm next.asm --bits --atol 1": "--bits requires equal bits: leave out --atol",
    "same.asm --against --t0 zeros:4": "--against takes options of a run, not '--t0'",
    "same.asm --against next.asm": "--against takes options of a run, not 'next.asm'",
    "same.asm next.asm --against --json": "--against takes options of a run, not '--json'",
    "same.asm next.asm --against --threads 4": "diff takes one of --groups X",
    "same.asm --against --guards none": "argument --guards: invalid choice: 'none'",
}


@pytest.mark.parametrize("words", USAGE)
def test_usage(call: Call, shaders: Path, words: str) -> None:
    before, mark, after = words.partition(" --against")
    given = [*before.split(), "--groups", "1", *f"{mark}{after}".split()]
    code, out, err = call("diff", *given)
    assert (code, out) == (2, "")
    assert err.startswith("usage: sm5vk diff A [B] ")
    assert USAGE[words] in err


def test_control_characters_are_escaped(call: Call, tmp_path: Path) -> None:
    path = tmp_path / "a\x1b[2J.dxbc"
    path.write_bytes(SAXPY.read_bytes())
    code, out, err = call("diff", path, SAXPY, *RUN, *ON_REFERENCE)
    assert (code, "\x1b" in out + err) == (0, False)
    code, out, err = call("diff", SAXPY, path, *RUN[:2], *ON_REFERENCE)
    assert (code, "\x1b" in out + err) == (2, False)


def test_races_are_told(call: Call, tmp_path: Path) -> None:
    """They are a reason why results differ."""
    shared = NUMBERS.replace("dcl_input", "dcl_tgsm_structured g0, 4, 1\ndcl_input")
    store = "store_structured g0.x, l(0), l(0), r0.x\nld_structured r0.x, l(0), l(0), g0.xxxx"
    (tmp_path / "races.asm").write_text(shared.replace("OPERATION", store))
    (tmp_path / "alone.asm").write_text(NUMBERS.replace("OPERATION", "mov r0.x, r0.x"))
    words = ("--groups", "1", "--u0", "zeros:4:f4", *ON_REFERENCE)
    _, _, err = call("diff", tmp_path / "races.asm", tmp_path / "alone.asm", *words)
    assert (err.count("races"), err.endswith(" --device reference --report\n")) == (1, True)
