"""The list of known faults: its page, its tests, and what users are told of a device."""

import os
import re
from pathlib import Path

import pytest

import vkrunner
from tests.commands import python
from vkrunner.info.faults import FAULTS, LAVAPIPE, known_faults, notice, with_remedy

from ....complete import check_complete

ROOT = Path(__file__).parents[4]
CONFORMANCE = Path(vkrunner.__file__).parent / "conformance"
# Sections of docs/drivers.md that are about no fault
OTHERS = (
    *("Known faults", "Other software drivers", "Missing features", "RADV without"),
    "Graphics hardware",
)
WITHOUT_TEST = (
    "group_count",  # 2^48 threads would take years where a driver runs them
    # tests of the module, because a driver may end the process without the workaround
    *("array_length_non_uniform", "robust_loads_crash", "descriptors_in_loops"),
)
SAXPY = Path(__file__).parents[1] / "data" / "saxpy.dxbc"

# It can show each fault that has no remedy
CUBE = (Path(__file__).parent / "data/faults.asm").read_text("utf-8")
KERNELS = """
import vkrunner
for _ in range(2):
    with vkrunner.open_device() as device:
        device.kernel({!r})
"""


def sections() -> dict[str, str]:
    """The headings of docs/drivers.md, and the text below each."""
    parts = re.split(r"(?m)^## ", (ROOT / "docs" / "drivers.md").read_text("utf-8"))[1:]
    return {head: text for head, _, text in (part.partition("\n") for part in parts)}


def test_the_page_has_every_fault_with_its_remedy() -> None:
    found: dict[str, str] = {}
    for heading, text in sections().items():
        first = re.match(r"\n([`\w, ]+): ([\w ]+)\.\n", text)
        if first is None:
            message = f"{heading}: the section begins without a line like '`fault`: tolerated.'"
            assert heading.startswith(OTHERS), message
            continue
        remedy = "none" if first[2] == "no remedy" else first[2]
        found |= dict.fromkeys(re.findall(r"`(\w+)`", first[1]), remedy)
    check_complete(found, FAULTS, "docs/drivers.md (a section)")
    assert found == {name: row.remedy for name, row in FAULTS.items()}


def test_every_fault_has_a_test() -> None:
    tests = {row.test for name, row in FAULTS.items() if name not in WITHOUT_TEST}
    held = {path.relative_to(CONFORMANCE).with_suffix("") for path in CONFORMANCE.rglob("*.*")}
    assert sorted(tests - {path.as_posix() for path in held}) == [], "not in vkrunner/conformance"
    here = {path.as_posix() for path in held if path.parts[0] == "drivers"}
    assert sorted(here - tests) == [], "in no row of vkrunner/info/faults.py"


def test_only_faults_without_a_remedy_need_advice() -> None:
    assert [row.name for row in FAULTS.values() if bool(row.advice) != (row.remedy == "none")] == []


def test_the_readme_names_the_faults_of_the_driver_that_it_installs() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    rows = with_remedy(known_faults(LAVAPIPE, "Mesa 22.3.6 (LLVM 15.0.6)"), "none")
    assert [row.name for row in rows if f"`{row.name}`" not in text] == []


def test_versions() -> None:
    older, newer = (known_faults(LAVAPIPE, f"Mesa {n} (LLVM 15.0.6)") for n in ("22.3.6", "25.0.7"))
    assert "memory_barriers" in older
    assert "memory_barriers" not in newer
    assert {name for name in newer if name not in older} == {"anisotropic_gathers"}
    assert set(older) - set(newer)
    assert not known_faults("NVK", "Mesa 25.0.7")
    newest = known_faults(LAVAPIPE, "Mesa 26.1.6-1~bpo13+1 (LLVM 19.1.7)")
    added = {"uav_range_size", "double_denormals", "descriptors_in_loops", "negative_zero_limits"}
    assert {name for name in newest if name not in newer} == added
    assert "descriptors_in_loops" not in known_faults(LAVAPIPE, "Mesa 26.2.6-1 (LLVM 22.1.8)")


def test_a_notice_is_one_line_of_effects_and_advice() -> None:
    rows = [row for row in FAULTS.values() if row.remedy == "none"]
    text = notice("X", [*FAULTS])
    assert text is not None
    assert text.startswith("results may be wrong on X: ")
    assert "\n" not in text
    for row in rows:
        assert f"{row.effect} ({row.name})" in text
        assert text.count(row.advice) == 1
    assert notice("X", [name for name, row in FAULTS.items() if row not in rows]) is None


def in_a_process(code: str, device: vkrunner.Device, **environment: str) -> tuple[str, str]:
    """The output of a program on this device, in which no warning is left out."""
    there = {key: value for key, value in os.environ.items() if key != "PYTHONWARNINGS"}
    there |= {"SM5VK_DEVICE": str(device.info.index), **environment}
    done = python("-c", code, environment=there)
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr


@pytest.mark.parametrize("cached", [False, True])
def test_a_user_is_told_once(device: vkrunner.Device, tmp_path: Path, cached: bool) -> None:
    """With the cache once for a driver; without it once in a process."""
    kernels = KERNELS.format(CUBE)
    cache = {"SM5VK_CACHE": str(int(cached)), "SM5VK_CACHE_DIR": str(tmp_path)}
    expected = notice(device.name, device.faults)
    counts = [
        in_a_process(kernels, device, **cache)[1].count(f"RuntimeWarning: {expected}")
        for _ in range(2)
    ]
    assert counts == ([0, 0] if expected is None else [1, 0] if cached else [1, 1])


def test_shaders_that_cannot_show_a_fault_are_told_nothing(device: vkrunner.Device) -> None:
    """A shader of buffers alone, then one that stores floats as texels."""
    texels = "\n".join(line for line in CUBE.splitlines() if "s0" not in line and "t0" not in line)
    code = KERNELS.format(str(SAXPY)) + "\nprint('saxpy', file=__import__('sys').stderr)\n"
    code += KERNELS.format(texels + "\n")
    _, err = in_a_process(code, device, SM5VK_CACHE="0")
    before, _, after = err.partition("saxpy")
    rows = [name for name in device.faults if FAULTS[name].remedy == "none"]
    assert "results may be wrong" not in before
    assert [name for name in rows if f"({name})" in after] == (
        ["special_small_floats"] if rows else []
    )


def test_a_filter_silences_it(device: vkrunner.Device) -> None:
    silent = "ignore:results may be wrong:RuntimeWarning"
    _, err = in_a_process(KERNELS.format(CUBE), device, PYTHONWARNINGS=silent)
    assert "results may be wrong" not in err
