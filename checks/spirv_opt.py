"""SPIRV-Tools' optimiser, as engines and SwiftShader use it."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from functools import lru_cache
from pathlib import Path

from translate import SpirvModule


def reoptimized(module: SpirvModule) -> SpirvModule:
    """The module after SPIRV-Tools' own performance passes, validated again."""
    options = ["-O", "--validate-after-all", "--target-env=vulkan1.1", "-", "-o", "-"]
    command = [str(tool("spirv-opt")), *options]
    done = subprocess.run(command, input=module.to_bytes(), capture_output=True, check=True)
    return dataclasses.replace(module, data=done.stdout)


@lru_cache
def tool(name: str) -> Path:
    """Path of a program of SPIRV-Tools."""
    places = (Path(p) / "cmeel.prefix" / "bin" / name for p in sys.path)
    return next(place for place in places if place.exists())
