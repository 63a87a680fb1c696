"""fxc's builds of `hlsl/`; `manifest.txt` has one build a line."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Build:
    """One container with its listing (immediates in hexadecimal), and how fxc was called."""

    source: Path
    entry: str
    profile: str
    flags: str
    container: Path
    listing: Path
    defines: str

    @property
    def shader(self) -> str:
        """The name without profile and flags; all builds of one shader compute the same."""
        return self.container.name.split(".")[0]

    def __str__(self) -> str:
        return self.container.stem


def read_build(line: str) -> Build:
    source, entry, profile, flags, container, listing, defines, *_ = line.split("|")
    return Build(HERE / source, entry, profile, flags, HERE / container, HERE / listing, defines)


_LINES = (HERE / "manifest.txt").read_text(encoding="utf-8").splitlines()
BUILDS = [read_build(line) for line in _LINES if not line.startswith("#")]
LISTINGS = sorted((HERE / "listings").glob("*.asm"))


# The class instances for the shaders that have interfaces

CHOICES: dict[str, dict[str, Any]] = {
    "interfaces": {"op": "add", "ops": ["multiply[1]", "table", "second"]},
    "class_textures": {"source": "second", "sources": ["loaded", "first"]},
    "class_buffers": {"source": "bytes", "sources": ["many[1]", "constant"]},
}


def options(shader: str) -> dict[str, Any]:
    """The options to translate a shader with."""
    return {"class_instances": CHOICES[shader]} if shader in CHOICES else {}
