"""Check the contents of the wheel and the source archive: python ci/check_package.py FOLDER."""

from __future__ import annotations

import sys
import tarfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
SUFFIXES = (".py", ".typed", ".shader_test", ".spv", ".spvasm", ".html", ".css", ".js", ".cmake")
PACKAGES = ("sm5vk", "translate", "vkrunner")
SOURCES = (
    "LICENSE",
    "README.md",
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
)


def main(folder: Path) -> int:
    """Print missing and unexpected files; return 1 if there are some."""
    (wheel,) = folder.glob("*.whl")
    (archive,) = folder.glob("*.tar.gz")
    with zipfile.ZipFile(wheel) as file:
        in_wheel = set(file.namelist())
    with tarfile.open(archive) as file:
        in_archive = {name.partition("/")[2] for name in file.getnames()}
    modules = {
        path.relative_to(ROOT).as_posix()
        for package in PACKAGES
        for path in (ROOT / package).rglob("*")
        if path.suffix in SUFFIXES
    }
    faults = [f"the wheel lacks {name}" for name in sorted(modules - in_wheel)]
    faults += [
        f"the wheel has {name}" for name in sorted(in_wheel - modules) if ".dist-info/" not in name
    ]
    if not any(name.endswith(".dist-info/licenses/LICENSE") for name in in_wheel):
        faults.append("the wheel lacks its licence")
    wanted = modules | set(SOURCES) | {"tests/conftest.py", "shaders/saxpy.dxbc", "ci/test.sh"}
    faults += [f"the archive lacks {name}" for name in sorted(wanted - in_archive)]
    print("\n".join(faults), end="\n" if faults else "")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
