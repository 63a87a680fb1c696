"""Every workaround is named after a fault, and its docstring names the probe and the document."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from translate.options import WORKAROUNDS
from vkrunner.info.faults import FAULTS
from vkrunner.probes.trials import PROBES

from ....complete import check_complete

ROOT = Path(__file__).parents[4]
FOLDER = ROOT / "translate/passes/drivers"
DOCSTRING = re.compile(r"Workaround for `(\w+)`: .*Probe: (\S+?)[.,] .*\"(.+)\"\.$", re.S)
# Robust accesses in which a driver fails get checks: `TargetDevice.robustness`
OF_ROBUSTNESS = {"slices_outside", "small_uavs_outside"}


def docstring(path: Path) -> str:
    return ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""


def workarounds() -> list[Path]:
    return [path for path in sorted(FOLDER.glob("*.py")) if path.stem in FAULTS]


def test_every_fault_has_a_file() -> None:
    stems = {path.stem for path in workarounds()}
    check_complete(stems, WORKAROUNDS - OF_ROBUSTNESS, "translate/passes/drivers (a file)")
    assert FAULTS.keys() >= WORKAROUNDS


@pytest.mark.parametrize("path", workarounds(), ids=lambda path: path.stem)
def test_a_workaround_names_its_fault_probe_and_document(path: Path) -> None:
    found = DOCSTRING.match(" ".join(docstring(path).split()))
    assert found, f"{path.name} does not name its fault, probe and document"
    fault, probe, heading = found.groups()
    assert fault == path.stem
    modules = {one.name: f"{one.shows.__module__.replace('.', '/')}.py" for one in PROBES}
    assert probe == modules.get(fault, "none")
    sections = (ROOT / "docs/drivers.md").read_text(encoding="utf-8").split("\n## ")
    (section,) = [one for one in sections if one.partition("\n")[0].endswith(f": {heading}")]
    assert f"`{fault}`: " in section
