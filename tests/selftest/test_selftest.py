"""`sm5vk selftest`: verdicts, the report in its three forms, exit codes, faulty drivers."""

import json
import os
import subprocess
import sys
import xml.etree.ElementTree as xml
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import vkrunner
from vkrunner.__main__ import main
from vkrunner.info.faults import with_remedy

CONFORMANCE = Path(vkrunner.__file__).parent / "conformance"
# One thread adds 1.0 to a float.
ADD = (Path(__file__).parent / "data/selftest.txt").read_text("utf-8") + "probe uav 0 all "
OF_EACH = {
    "exact": f"{ADD}2.0\n",
    "tolerated": f"{ADD}2.0000005 ulp 4\n",
    "wrong": f"{ADD}3.0\n",
    "unsupported": f"{ADD}2.0\ndispatch 65536 1 1\n",  # D3D's limit is 65535
    "error": f"{ADD}2.0\nprobe uav 1 all 2.0\n",
}
HERE = ("--device", "reference", "-j", "1")
Ran = tuple[int, str, str]
Run = Callable[..., Ran]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def call(*words: str) -> Ran:
        return main(["selftest", *words]), *capsys.readouterr()

    return call


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Tests, one for each verdict, named after it."""
    made = tmp_path / "area"
    made.mkdir()
    for name, text in OF_EACH.items():
        (made / f"{name}.shader_test").write_text(text)
    return made


def index(device: vkrunner.Device) -> str:
    return str(device.info.index)


@pytest.mark.slow(reason="the whole self-test")
def test_of_this_device(device: vkrunner.Device, run: Run) -> None:
    """All tests of the package; the report begins with the device and its driver.

    Only tests of faults without a remedy may be wrong, or end the process.
    """
    code, out, err = run("--device", index(device), "--json")
    (report,) = json.loads(out)
    bad = [test for test in report["tests"] if test["verdict"] in ("wrong", "error")]
    known = {row.name for row in with_remedy(device.faults, "none")}
    assert {test["fault"] for test in bad} <= known
    codes = {"wrong": 1, "error": 3}  # the driver ended the process
    assert code == max((codes[test["verdict"]] for test in bad), default=0)
    assert err == ""
    info = device.info
    about = report["device"]
    assert (about["device"], about["Vulkan"]) == (info.name, info.api_version)
    assert about["driver"] == f"{info.driver} {info.driver_version}".strip()
    verdicts = Counter(test["verdict"] for test in report["tests"])
    assert verdicts.total() == sum(
        text.count("\n[test") for text in map(Path.read_text, CONFORMANCE.rglob("*.shader_test"))
    )
    assert {name: report["summary"][name] for name in verdicts} == verdicts
    for test in report["tests"]:
        assert bool(test["tolerated"]) == (test["verdict"] == "tolerated")
        assert bool(test["reason"]) == (test["verdict"] == "unsupported")
        assert (CONFORMANCE / test["file"]).is_file()


def test_files_have_a_description_and_need_no_others() -> None:
    """No array, picture or shader of another file: the wheel has files of this one kind."""
    for path in (path for path in CONFORMANCE.rglob("*") if path.is_file()):
        assert path.suffix == ".shader_test"
        assert path.read_text().startswith("# "), path
        for line in path.read_text().splitlines():
            assert line.split(" ")[0] not in ("file", "npy", "image")
            assert "probe" not in line or not (" npy " in line or " image " in line)


def test_verdicts(run: Run, folder: Path) -> None:
    code, out, _ = run(str(folder), *HERE, "--json")
    assert code == 2, "a probe of a missing resource is a mistake of the test"
    (report,) = json.loads(out)
    assert all(Path(test["file"]).stem == test["verdict"] for test in report["tests"])
    assert report["summary"] | {"seconds": 0} == dict.fromkeys(OF_EACH, 1) | {"seconds": 0}


def test_text(run: Run, folder: Path) -> None:
    code, out, err = run(str(folder), *HERE)
    assert (code, err) == (2, "")
    lines = out.splitlines()
    assert lines[0].split() == ["device", "reference", "machine"]
    assert "driver" in lines[2]
    start = lines.index("") + 1
    heading, row, total = (line.split() for line in lines[start : start + 3])
    assert heading == ["exact", "tolerated", "unsupported", "wrong", "error"]
    assert (row, total) == (["area", *"11111"], ["all", *"11111"])
    # 2.0000005 is two floats after 2.0
    where = out.index("\ntolerated\n  area/tolerated\n    line 15: u0: 1 of 1 numbers differ, by 2")
    where = out.index("\nunsupported\n  area/unsupported: ", where)
    where = out.index("\nwrong\n  area/wrong\n", where)
    assert "(0)  3.0       2.0\n" in out[where:]
    assert "\nerror\n  area/error\n" in out[where:]
    assert "area/exact" not in out


@pytest.mark.parametrize(("wrong", "rest"), [(7, "and 3 more, which --json has"), (4, "")])
def test_text_of_many_probes(run: Run, folder: Path, wrong: int, rest: str) -> None:
    """Some failures are shown and the rest is counted, so that the table stays visible."""
    probes = "".join(f"probe uav 0 all {n}.0\n" for n in range(10, 9 + wrong))
    (folder / "wrong.shader_test").write_text(OF_EACH["wrong"] + probes)
    _, out, _ = run(str(folder), "-k", f"area{os.sep}wrong", *HERE)
    assert out.count("error: u0: differs") == 4
    assert out.endswith(f"\n    {rest}\n") if rest else "more" not in out


def test_junit(run: Run, folder: Path, tmp_path: Path) -> None:
    run(str(folder), *HERE, "--junit", str(tmp_path / "a/b.xml"))
    (suite,) = xml.parse(tmp_path / "a/b.xml").getroot()
    properties = {one.get("name"): one.get("value") for one in suite.iter("property")}
    assert properties["device"] == suite.get("name") == "reference machine"
    assert properties["sm5vk"]
    tags = {"tolerated": ["system-out"], "wrong": ["failure"], "unsupported": ["skipped"]}
    assert {
        Path(str(case.get("file"))).stem: [part.tag for part in case]
        for case in suite.iter("testcase")
    } == {"exact": [], "error": ["error"], **tags}


@pytest.mark.parametrize(
    ("names", "code"),
    [(("exact", "tolerated"), 0), (("exact", "unsupported"), 0), (("wrong",), 1), (("unsupp",), 1)],
)
def test_exit_codes(run: Run, folder: Path, names: tuple[str, ...], code: int) -> None:
    """If no test ran at all, that is not a success."""
    chosen = " or ".join(f"area{os.sep}{name}" for name in names)
    assert run(str(folder), "-k", chosen, *HERE)[0] == code


def test_choosing(run: Run) -> None:
    """Tests are chosen by the names of the report, not by the package's folder."""
    _, out, _ = run("-k", "integers/shifts.", *HERE, "--json")
    (report,) = json.loads(out)
    assert [Path(test["file"]) for test in report["tests"]] == [Path("integers/shifts.shader_test")]
    code, _, err = run("-k", "vkrunner")
    assert (code, err) == (2, "sm5vk: error: -k 'vkrunner' chooses no test\n")
    code, _, err = run("-j", "0")
    assert code == 2
    assert err.endswith("sm5vk selftest: error: -j takes a number from 1 on, not 0\n")


def test_folder(run: Run) -> None:
    code, out, _ = run("--folder")
    assert code == 0
    assert (Path(out.strip()) / "bounds/raw.shader_test").is_file()


@pytest.mark.slow(reason="tests on several devices")
def test_several_devices(device: vkrunner.Device, run: Run) -> None:
    words = ("-k", "integers/", "-j", "2", "--json")
    _, out, _ = run("--device", index(device), "--device", "reference", *words)
    reports = json.loads(out)
    assert [report["device"]["device"] for report in reports] == [device.name, "reference machine"]
    files = [[test["file"] for test in report["tests"]] for report in reports]
    assert files[0] == files[1] == sorted(files[0])


def test_no_such_device(run: Run) -> None:
    code, out, err = run("--device", "no such device", "-k", "integers/shifts")
    assert (code, out) == (3, "")
    assert "no such device" in err


@pytest.mark.parametrize("more", [(), ("--json",)])
def test_a_file_without_tests(run: Run, tmp_path: Path, more: tuple[str, ...]) -> None:
    path = tmp_path / "a.shader_test"
    path.write_text("[shader]\n")
    code, out, err = run(str(path), *HERE, *more)
    assert code in (1, 2)
    assert "Traceback" not in out + err
    assert "a.shader_test" in out + err


# -- faulty drivers -------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def layer(tmp_path_factory: pytest.TempPathFactory, require: Callable[[str], None]) -> Path:
    """The folder with the compiled layer. It needs the C compiler and headers of tests/host."""
    made = tmp_path_factory.mktemp("layer")
    source = Path(__file__).parent / "wrong_driver.c"
    strict = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-O1"]
    command = ["cc", *strict, "-shared", "-fPIC", str(source), "-o", str(made / "layer.so")]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    except FileNotFoundError:
        done = None
    if done is None or "vk_layer.h: No such file" in done.stderr:
        require("no C compiler, or no headers (Debian: gcc, libc6-dev, libvulkan-dev)")
    assert done is not None
    assert done.returncode == 0, done.stderr
    description = {"description": "makes a faulty driver of a right one", "type": "INSTANCE"}
    versions = {"api_version": "1.3.0", "implementation_version": "1"}
    named = {"name": "VK_LAYER_SM5VK_wrong_driver", "library_path": str(made / "layer.so")}
    manifest = {"file_format_version": "1.2.0", "layer": description | versions | named}
    (made / "layer.json").write_text(json.dumps(manifest))
    return made


def on_a_wrong_driver(layer: Path, fault: str, device: Any, *words: str) -> tuple[int, str]:
    """The exit code and the output with the layer between the command and the driver."""
    environment = {
        **os.environ,
        "VK_LAYER_PATH": f"{layer}{os.pathsep}{os.environ.get('VK_LAYER_PATH', '')}",
        "VK_INSTANCE_LAYERS": "VK_LAYER_SM5VK_wrong_driver",
        "WRONG_DRIVER": fault,
    }
    # the validation layer's own search path is replaced by VK_LAYER_PATH
    environment.pop("SM5VK_VALIDATION", None)
    command = [sys.executable, "-m", "vkrunner", "selftest", "--device", index(device), *words]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
    assert "Traceback" not in done.stderr, done.stderr
    return done.returncode, done.stdout


@pytest.mark.slow(reason="a process")
def test_a_driver_that_computes_wrongly(device: vkrunner.Device, layer: Path) -> None:
    """It compiles OpBitReverse as OpNot: the test of bfrev is wrong, and no other of integers."""
    code, out = on_a_wrong_driver(layer, "204:200", device, "-k", "integers/", "--json")
    assert code == 1
    (report,) = json.loads(out)
    wrong = [test for test in report["tests"] if test["verdict"] in ("wrong", "error")]
    assert [Path(test["file"]).stem for test in wrong] == ["bit_reversal"]
    # the reverse of 1 is 0x80000000; the complement of 1 is given
    details = wrong[0]["failures"][0]["details"]
    assert any("2147483648 (0x80000000)  4294967294 (0xfffffffe)" in line for line in details)


@pytest.mark.slow(reason="a process")
def test_a_driver_that_loses_atomics(device: vkrunner.Device, layer: Path) -> None:
    """It compiles OpAtomicUMax as OpAtomicUMin."""
    _, out = on_a_wrong_driver(layer, "239:237", device, "-k", "atomics/")
    found = out[out.index("\nwrong\n") :]
    assert "\n  atomics/all\n" in found
    assert "\n  atomics/contention\n" in found


@pytest.mark.slow(reason="processes that end")
@pytest.mark.parametrize("processes", ["1", "2"])
def test_a_driver_that_ends_the_process(device: Any, layer: Path, processes: str) -> None:
    """It ends when it compiles OpBitReverse; the other tests of that process are run again."""
    words = ("-k", "integers/", "-j", processes, "--json")
    code, out = on_a_wrong_driver(layer, "204:end", device, *words)
    assert code == 3
    (report,) = json.loads(out)
    verdicts = {Path(test["file"]).stem: test["verdict"] for test in report["tests"]}
    assert verdicts.pop("bit_reversal") == "error"
    assert set(verdicts.values()) == {"exact"}
    assert report["device"]["device"] in {test["device"] for test in report["tests"]}
