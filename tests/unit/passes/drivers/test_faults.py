"""Every workaround is named after a fault, and its docstring names the probe and the document."""

import ast
import re
from collections.abc import Iterator
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


def workarounds() -> Iterator[str]:
    """The docstrings of modules, functions, classes and constants, each in one line."""
    for path in sorted(FOLDER.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
                text = str(node.value.value)
                if text.startswith("Workaround for"):
                    yield " ".join(text.split())


def test_every_fault_has_a_workaround() -> None:
    named = [text.split("`")[1] for text in workarounds()]
    check_complete(named, WORKAROUNDS - OF_ROBUSTNESS, "translate/passes/drivers (a docstring)")
    assert len(named) == len({*named})
    assert FAULTS.keys() >= WORKAROUNDS


@pytest.mark.parametrize("text", [*workarounds()], ids=lambda text: text.split("`")[1])
def test_a_workaround_names_its_fault_probe_and_document(text: str) -> None:
    found = DOCSTRING.match(text)
    assert found, f"no fault, probe and document: {text}"
    fault, probe, heading = found.groups()
    modules = {one.name: f"{one.shows.__module__.replace('.', '/')}.py" for one in PROBES}
    assert probe == modules.get(fault, "none")
    sections = (ROOT / "docs/drivers.md").read_text(encoding="utf-8").split("\n## ")
    (section,) = [one for one in sections if one.partition("\n")[0].endswith(f": {heading}")]
    assert f"`{fault}`: " in section
