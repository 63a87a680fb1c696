"""Files of vkd3d's form: each of its words, and the effect of `todo` and `fail` on outcomes."""

import dataclasses
import struct
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import vkrunner
from vkrunner.__main__ import main
from vkrunner.shadertest.cases import ShaderTest
from vkrunner.shadertest.conditions import tags_of
from vkrunner.shadertest.cursor import ShaderTestError
from vkrunner.shadertest.execute import run_case
from vkrunner.shadertest.file_reader import read_file
from vkrunner.shadertest.outcome import ERROR, FAILED, PASSED, Outcome

from ..slow import share
from ..unit.vkrunner.shadertest.cases import check_carets, check_error, faulty_texts, outcomes, read
from ..unit.vkrunner.shadertest.test_running import Around
from .conftest import DATA, SCALE

FILES = Path(__file__).parent / "vkd3d"
NO_MODEL = "; there are 4.0 to 5.1"
DRAWS = "draws: there are compute shaders only"
# file -> its tests: the number of checks that are known to fail, or why the test is skipped
EXPECTED: dict[str, dict[str, int | str]] = {
    "arrays": {"1": 0, "2": 0},
    "buffers": {"1": 0},
    "counter": {"1": 1},
    "graphics": {
        "1": DRAWS,
        "2": DRAWS,
        "3": "an earlier test draws with its UAVs",
        "4": 0,
        "5": "geometry-shader is for graphics, and there are compute shaders only",
    },
    "marks": {
        **{f"shader {n}": 0 for n in (1, 2, 3, 4)},
        "1": 0,
        **{f"shader {n}": 1 for n in (5, 6, 7)},
        "shader 8": 0,
        "2": "the shader is one that its compiler refuses",
    },
    "models": {
        **{"1": 0, "shader 2": 0, "2": 0, "shader 4": 0, "3": 0, "4": 0},
        "5": f"needs shader model >= 6.2{NO_MODEL}",
        "shader 8": "wave-ops is of Shader Model 6, and up to 5.1 there is",
        "6": 0,
    },
    "old": {"1": 0},
    "qualifiers": {"1": 2, "shader 2": 1, "2": 1},
    "spellings": {"1": 0, "shader 2": 0},
    "stay": {"1": 0, "2": 0, "3": 0, "4": 0},
    "textures": {"1": 1},
    "uniforms": {"1": 0},
}
Run = Callable[[str], list[Outcome]]


def check(test: ShaderTest, device: Any, expected: dict[str, int | str]) -> None:
    found: dict[str, int | str] = {}
    for case in test.cases:
        outcome = run_case(device, case)
        assert not outcome.failures, f"\n{outcome.text()}"
        found[case.name] = outcome.reason or outcome.todos
    assert found == expected


def test_all_files_are_expected() -> None:
    assert {path.stem for path in FILES.glob("*.shader_test")} == set(EXPECTED)


@pytest.mark.parametrize("name", EXPECTED)
def test_a_file_runs_as_it_is(machine: Any, compiler: str, name: str) -> None:
    check(read_file(FILES / f"{name}.shader_test"), machine, EXPECTED[name])


@pytest.mark.parametrize(
    "name", share([*EXPECTED], str, 12, "the same cases as on the reference machine")
)
def test_a_file_on_the_device(device: Any, stand_in: str, name: str) -> None:
    test = read_file(FILES / f"{name}.shader_test")
    lacking = [row(device.info) for case in test.cases for row in case.requirements]
    if any(reason and "lacks" in reason for reason in lacking):
        pytest.skip(str(lacking))
    check(test, device, EXPECTED[name])


def test_one_test_alone(stand_in: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The earlier tests of the file that it depends on run before it."""
    words = ["test", str(FILES / "stay.shader_test"), "--device", "reference", "-k", "::3"]
    assert main(words) == 0
    assert capsys.readouterr().out.startswith("1 passed in ")


HEAD = "[require]\nshader model >= 5.0\n[uav 0]\nformat r32-uint\nsize (buffer, 2)\n5 6\n"
ADDS = (Path(__file__).parent / "data/vkd3d_adds.hlsl").read_text("utf-8")
GOOD = f"{HEAD}[compute shader]{ADDS}"
TEST = "[test]\nuniform 0 uint 2\ndispatch 1 1 1\nprobe uav 0 (0) u32(3)\n"
BROKEN = (Path(__file__).parent / "data/vkd3d_broken.hlsl").read_text("utf-8")
TOO_MANY = "\n    [numthreads(1024, 1, 1)]\nvoid main() {}\n"
SUCCEEDED = "todo succeeded"


@pytest.fixture
def run(machine: Any, stand_in: str) -> Run:
    """The outcomes of a text, on the reference machine."""
    return partial(outcomes, machine)


TODOS = {  # a text -> the message on other platforms, and on vkd3d's "windows"
    f"{GOOD}{TEST}": ("", ""),
    f"{GOOD}{TEST.replace('probe', 'todo probe')}": (SUCCEEDED, ""),
    f"{GOOD}{TEST.replace('dispatch', 'todo(sm>=5) dispatch')}": (SUCCEEDED, ""),
    f"{GOOD}{TEST.replace('dispatch', 'todo(sm<5) dispatch')}": ("", ""),
    f"{GOOD}{TEST.replace('probe', 'bug probe')}": ("", ""),
    f"{GOOD}{TEST.replace('uniform', 'todo uniform')}": ("", ""),
    f"{GOOD}{TEST.replace('u32(3)', 'u32(4)')}": ("u0 (u): differs", "u0 (u): differs"),
    f"{GOOD}{TEST.replace('probe', 'todo probe').replace('(3)', '(4)')}": ("", "u0 (u): differs"),
    f"{GOOD}{TEST.replace('probe', 'bug probe').replace('(3)', '(4)')}": ("", "u0 (u): differs"),
    f"{HEAD}[compute shader todo]{ADDS}": (SUCCEEDED, ""),
    f"{HEAD}[compute shader todo]{BROKEN}": ("", "X3004: undeclared identifier 'undeclared'"),
    f"{HEAD}[compute shader fail todo]{BROKEN}": (SUCCEEDED, ""),
    f"{HEAD}[compute shader fail]{BROKEN}": ("", ""),
    f"{HEAD}[compute shader]{BROKEN}": ("X3004: undeclared", "X3004: undeclared"),
    f"{HEAD}[compute shader fail]{ADDS}": ("takes it as cs_5_0", "takes it as cs_5_0"),
    f"{HEAD}[compute shader fail todo]{ADDS}": ("", "the compiler takes it as cs_5_0"),
    f"[compute shader fail(sm<5)]{TOO_MANY}": ("", ""),
    f"[compute shader fail(sm<4.1)]{TOO_MANY}": ("X3655", "X3655"),
}


@pytest.mark.parametrize("platform", [0, 1], ids=["other", "windows"])
@pytest.mark.parametrize("text", TODOS, ids=range(len(TODOS)))
def test_expectations(run: Run, monkeypatch: pytest.MonkeyPatch, text: str, platform: int) -> None:
    if platform:
        monkeypatch.setenv("VKD3D_TEST_PLATFORM", "windows")
    message = TODOS[text][platform]
    (outcome,) = run(text)
    if not message:
        assert not outcome.failures, outcome.text()
        return
    assert outcome.status == (ERROR if message.startswith("X3") else FAILED)
    assert message in outcome.failures[0].message


def test_resources_after_a_failed_dispatch(run: Run) -> None:
    """A dispatch that is to fail counts, and what it did not write is not checked."""
    probes = "probe uav 0 (0) u32(99)\ntodo probe uav 0 (0) u32(5)\n"
    _, outcome = run(f"{HEAD}[compute shader todo]{BROKEN}[test]\ntodo dispatch 1 1 1\n{probes}")
    assert (outcome.status, outcome.todos) == (PASSED, 1)
    (outcome,) = run(f"{HEAD}[compute shader]{BROKEN}[test]\ndispatch 1 1 1\n{probes}")
    assert outcome.status == ERROR
    assert str(outcome.failures[0].where) == "a.shader_test:13:12"


def test_a_resource_that_does_not_fit(run: Run) -> None:
    """It is an error of the dispatch, which `todo` may expect."""
    text = GOOD.replace("(buffer, 2)", "(2d, 2, 1)") + TEST
    (outcome,) = run(text)
    assert outcome.status == ERROR
    assert outcome.failures[0].where.line == 18
    (outcome,) = run(text.replace("dispatch", "todo dispatch"))
    assert (outcome.status, outcome.todos) == (PASSED, 1)


def test_a_compiler_that_fails_refuses_nothing(run: Run) -> None:
    """Neither `fail` nor `todo` expects that."""
    broken = f"{ADDS}// stand-in: say something\n"
    for marks, test in (("fail", ""), ("todo", ""), ("", TEST.replace("disp", "todo disp"))):
        (outcome,) = run(f"{HEAD}[compute shader {marks}]{broken}{test}")
        assert outcome.status == ERROR
        assert "its exit code is 7" in outcome.failures[0].message


def test_todos_counted(stand_in: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "a.shader_test"
    path.write_text(GOOD + TEST + "todo probe uav 0 (0) u32(4)\ntodo probe uav 0 (1) u32(4)\n")
    assert main(["test", str(path), "--device", "reference", "-v"]) == 0
    assert capsys.readouterr().out.startswith(f"PASSED {path}::1 on reference machine: 2 todo\n")
    path.write_text(GOOD + TEST.replace("probe", "todo probe"))
    assert main(["test", str(path), "--device", "reference"]) == 1


def test_constants_stay_where_the_uavs_do_not(run: Run) -> None:
    uav = HEAD.partition("5.0\n")[2]
    again = f"{uav}[test]\ndispatch 1 1 1\nprobe uav 0 (0) u32(3)\n"
    found = run(f"{GOOD}{TEST}{again}")
    assert [outcome.status for outcome in found] == [PASSED, PASSED]


def test_a_buffer_of_constants_stays(run: Run) -> None:
    """The buffer stays also if a shader in between has none."""
    cb, values = "[cb 0]\n8\n", "[uav values]\n0 0 0 0 0 0 0 0\n"
    other = f"\n{SCALE}[test]\ndispatch 1 1 1\nprobe uav values (1) u32(4)\n"
    uav = HEAD.partition("5.0\n")[2]
    again = f"[compute shader]{ADDS}[test]\ndispatch 1 1 1\nprobe uav 0 (0) u32(9)\n"
    found = run(f"{cb}{values}[compute shader]{other}{uav}{again}")
    assert [outcome.failures for outcome in found] == [(), ()]


def test_an_earlier_dispatch_that_fails_leaves_nothing(run: Run) -> None:
    broken = f"[compute shader todo]{BROKEN}[test]\ntodo dispatch 1 1 1\n"
    test = "[test]\nprobe uav 0 (0) u32(5)\nuniform 0 uint 2\ndispatch 1 1 1\n"
    last = run(f"{HEAD}{broken}[compute shader]{ADDS}{test}probe uav 0 (0) u32(3)\n")[-1]
    assert not last.failures, last.text()


def test_an_earlier_test_that_is_skipped_leaves_nothing(machine: Any, stand_in: str) -> None:
    info = dataclasses.replace(machine.info, features=vkrunner.DeviceFeatures())
    bare: Any = Around(machine, info=info)
    after = "[require]\nshader model >= 5.0\n[test]\nprobe uav 0 (0) u32(5)\n"
    text = GOOD.replace("5.0\n", "5.0\nfloat64\n", 1) + TEST + after
    first, second = outcomes(bare, text)
    assert first.reason == "reference machine lacks float64"
    assert not second.failures, second.text()


def test_an_earlier_test_keeps_its_timeout(machine: Any, stand_in: str) -> None:
    found: list[float] = []

    def make(*arguments: Any, **options: Any) -> Any:
        kernel = machine.kernel(*arguments, **options)

        def dispatch(*given: Any, timeout: float = 60, **more: Any) -> Any:
            found.append(timeout)
            return kernel.dispatch(*given, **more)

        return Around(kernel, dispatch=dispatch)

    device: Any = Around(machine, kernel=make)
    outcomes(device, f"{GOOD}{TEST}timeout 300\n{TEST}")
    assert found == [300, 300, 60]


def test_a_container_in_hexadecimal(run: Run) -> None:
    data = (DATA / "scale-3-1.dxbc").read_bytes()
    dwords = [f"{n:08x}" for n in struct.unpack(f"<{len(data) // 4}I", data)]
    rows = "\n".join(" ".join(dwords[n : n + 4]) for n in range(0, len(dwords), 4))
    shader = f"[compute shader dxbc-tpf-hex]\n% a container\n{rows} % its end\n"
    uav = "[uav 0]\nstride 4\nsize (buffer, 8)\n0 1 2 3 4 5 6 7\n"
    (outcome,) = run(f"{uav}{shader}[test]\ndispatch 1 1 1\nprobe uav 0 (2) u32(7)\n")
    assert not outcome.failures, outcome.text()
    (outcome,) = run("[compute shader d3dbc-hex]\nfffe0200\n[test]\ndispatch 1 1 1\n")
    assert outcome.reason == "d3dbc-hex is not read"


def test_tags(machine: Any) -> None:
    def tags(driver: str, version: str) -> set[str]:
        info: vkrunner.DeviceInfo = machine.info
        given = {"type": "cpu", "name": "a device", "driver": driver, "driver_version": version}
        return set(tags_of(dataclasses.replace(info, **given)))

    assert tags_of(machine.info) == frozenset()
    assert tags("llvmpipe", "Mesa 22.3.6 (LLVM 15)") == {"vulkan", "llvmpipe", "mesa<23.3"}
    assert tags("llvmpipe", "Mesa 23.3.0") == {"vulkan", "llvmpipe"}
    assert tags("radv", "Mesa 9.1.0") == {"vulkan", "mesa<23.3"}
    assert tags("MoltenVK", "1.2.9") == {"vulkan", "mvk"}


@pytest.mark.parametrize("key", ["0", "u"])
def test_a_shader_that_is_refused_in_a_file(run: Run, project: Path, key: str) -> None:
    """Its resources are not made, because their kinds are unknown."""
    Path("a.hlsl").write_text(BROKEN.strip())
    text = f"[shader]\nfile a.hlsl\n[uav {key}]\n1 2\n[test]\ntodo dispatch 1 1 1\n"
    (outcome,) = run(text)
    assert (outcome.status, outcome.todos) == (PASSED, 1), outcome.text()


def test_options_of_the_compiler() -> None:
    def flags(lines: str) -> object:
        (case,) = read(f"[require]\n{lines}\n[compute shader]{ADDS}").cases
        assert case.shader.hlsl is not None
        return case.shader.hlsl.get("fxc_flags")

    assert flags("options: none") is None
    assert flags("options: column-major row-major") == ("-Zpc", "-Zpr")
    assert flags("shader model >= 5.0\noptions: backcompat") == ("-Gec",)
    assert flags("shader model >= 5.1\noptions: backcompat") is None
    unbounded = ("-enable_unbounded_descriptor_tables",)
    assert flags("options: unbounded-descriptor-arrays") == unbounded


def test_loads_of_formats(machine: Any) -> None:
    """Every device loads one component of 32 bits; other formats depend on the device."""
    bare = dataclasses.replace(machine.info, features=vkrunner.DeviceFeatures())
    text = "[require]\nformat {} uav-load\n[compute shader]" + ADDS

    def reason(name: str, info: vkrunner.DeviceInfo) -> str | None:
        (case,) = read(text.replace("{}", name)).cases
        (lacking,) = case.requirements
        return lacking(info)

    assert [reason(f"r32-{kind}", bare) for kind in ("float", "uint", "sint")] == [None] * 3
    lacking = "reference machine lacks storage_image_read_without_format"
    assert reason("r32g32b32a32-float", bare) == lacking
    assert reason("r32g32b32a32-float", machine.info) is None


def test_conditions_in_listings(machine: Any) -> None:
    """Qualifiers before lines are for all files; the model is the listing's."""
    text = (Path(__file__).parent / "data/vkd3d_conditions.txt").read_text("utf-8")
    (outcome,) = outcomes(machine, text)
    assert (outcome.status, outcome.todos) == (PASSED, 1)


@pytest.mark.parametrize("text", faulty_texts(DATA / "wrong_vkd3d.txt"))
def test_errors(text: str) -> None:
    check_carets(f"[compute shader fail]{ADDS}", text)


def test_vkd3ds_sections_beside_a_listing() -> None:
    message, place = "this section is for vkd3d's files", "[pixel shader]"
    check_error(f"[shader]\ncs_5_0\n{place}\n", message, place)


PROBES = {
    "(0, 0, 2, 1) u32(3, 6)": "",
    "(0, 0, 2, 1) u32(3, 7)": "u0 (u): 1 of 2 numbers differ",
    "(0) u64(0x600000003)": "",
    "(1) u64(6)": "x is 1; there are 0 to 0",
    "(0) u32(3, 6, 0, 0)": "a row has 8 bytes, and these values take 16",
    "(1, 1) u32(6)": "expected 1 coordinates, (x), got 2",
    "counter (1)": "u0 (u) has no hidden counter",
}


@pytest.mark.parametrize("probe", PROBES)
def test_places(run: Run, probe: str) -> None:
    (outcome,) = run(f"{GOOD}{TEST}probe uav 0 {probe}\n")
    messages = [failure.message for failure in outcome.failures]
    assert messages == ([PROBES[probe]] if PROBES[probe] else [])


def test_a_typed_srv_without_a_format(run: Run) -> None:
    """It has the usual format, by its HLSL name too."""
    shader = (Path(__file__).parent / "data/vkd3d_typed.hlsl").read_text("utf-8")
    uav = "[uav 0]\nformat r32-float\nsize (buffer, 1)\n"
    for key in ("0", "given"):
        srv = f"[srv {key}]\nsize (buffer, 1)\n0.25 0.5 0.75 1.0\n"
        test = "[test]\ndispatch 1 1 1\nprobe uav 0 (0) f32(0.75)\n"
        (outcome,) = run(f"{srv}{uav}[compute shader]{shader}{test}")
        assert not outcome.failures, outcome.text()


def test_a_resource_that_is_not_described(run: Run) -> None:
    (outcome,) = run(f"{GOOD}{TEST}probe uav 3 (0) u32(0)\n")
    assert outcome.failures[0].message == "no section above describes uav 3"
    (outcome,) = run(f"{GOOD}{TEST}probe uav v (0) u32(0)\n")
    assert "no resource 'v'; the shader has" in outcome.failures[0].message
    text = f"{HEAD}[compute shader]{BROKEN}[test]\nprobe uav u (0) u32(5)\ntodo dispatch 1 1 1\n"
    (outcome,) = run(text)
    assert outcome.failures[0].message == "u is a name in the shader, which is not there"


def test_a_file_that_is_to_be_refused(run: Run, project: Path) -> None:
    Path("a.hlsl").write_text(BROKEN.strip())
    (outcome,) = run("[compute shader fail]\nfile a.hlsl\n")
    assert not outcome.failures, outcome.text()


def test_a_test_without_lines(run: Run) -> None:
    *_, outcome = run(f"{GOOD}{TEST}[test]\n% nothing\n")
    assert outcome.reason == "the test does nothing"


def test_a_test_without_a_compute_shader() -> None:
    with pytest.raises(ShaderTestError, match=r"no \[compute shader\] stands above this test"):
        read("[pixel shader]\n[test]\ndispatch 1 1 1\n")


def test_a_file_about_something_else(run: Run) -> None:
    (outcome,) = run("[preproc]\npass\n[preproc fail]\n#error\n")
    assert outcome.reason == "there is no compute shader in the file"
