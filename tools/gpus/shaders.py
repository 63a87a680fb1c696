"""Every shader of this project that drivers should compile, by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from vkrunner.shadertest.cases import ShaderSection
from vkrunner.shadertest.file_reader import read_file

ROOT = Path(__file__).parents[2]
_FILES = "tests/corpus/cs_*/*.dxbc", "tools/benchmarks/kernels/*.dxbc", "shaders/**/*.dxbc"
_TESTS = "vkrunner/conformance/**/*.shader_test", "shaders/**/*.shader_test"


@dataclass(frozen=True, slots=True)
class Source:
    """A shader: the source for `Device.kernel`, and its options."""

    name: str
    source: Path | str | bytes
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])


def sources() -> list[Source]:
    """The corpus, the kernels, and the shaders of all shader tests that should translate."""
    return [*_files(), *_of_tests()]


def _files() -> Iterator[Source]:
    for pattern in _FILES:
        for path in sorted(ROOT.glob(pattern)):
            yield Source(str(path.relative_to(ROOT)), path)


def _of_tests() -> Iterator[Source]:
    for pattern in _TESTS:
        for path in sorted(ROOT.glob(pattern)):
            for case in read_file(path).cases:
                name = f"{path.relative_to(ROOT)}::{case.name}"
                if case.error is None and case.shader.hlsl is None:
                    yield Source(name, _source(case.shader), case.shader.options)


def _source(section: ShaderSection) -> Path | str | bytes:
    if section.container is not None:
        return section.container
    return section.path or "\n".join([*(line.text for line in section.lines), ""])
