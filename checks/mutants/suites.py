"""The tests of a module: those of its mirror in `tests/unit`, and those of its folder."""

from __future__ import annotations

from pathlib import Path

UNIT = "tests/unit"
_PASSES = ("tests/passes", "tests/unit/passes", "tests/golden")
_BEHAVIOUR = ("tests/interpret", "tests/rows", "tests/report", "tests/bounds", "tests/textures")

# A folder or module -> tests elsewhere that use it. The longest name that matches counts.
FOLDERS: dict[str, tuple[str, ...]] = {
    "checks/guarded.py": ("tests/ir", "tests/passes", "tests/bounds"),
    "checks/interpret": ("tests/interpret",),
    "translate": ("tests/unit/test_pipeline.py", "tests/unit/test_errors.py", "tests/golden"),
    "translate/asm": ("tests/errors", "tests/corpus/test_disassembly.py"),
    "translate/bindings": (
        *("tests/unit/test_interface.py", "tests/unit/test_pipeline.py", "tests/golden"),
        *("tests/unit/test_size_tables.py", "tests/bounds", "tests/textures"),
    ),
    "translate/bulk": (),
    "translate/explanation.py": ("tests/ir",),
    "translate/dxbc": ("tests/errors", "tests/corpus/test_disassembly.py"),
    "translate/interface": ("tests/unit/test_interface.py", "tests/host", "tests/golden"),
    "translate/ir": (
        "tests/proofs",
        "tests/passes",
        "tests/ir",
        "tests/golden",
        "tests/rows",
        "tests/interpret",
    ),
    "translate/isa": ("tests/rows", "tests/unit/lower", "tests/unit/reference", "tests/coverage"),
    "translate/lower": (
        *("tests/golden", "tests/rows", "tests/coverage", "tests/textures", "tests/interpret"),
    ),
    "translate/passes": (*_PASSES, "tests/proofs", *_BEHAVIOUR),
    "translate/passes/floats": (*_PASSES, "tests/proofs/test_floats.py", *_BEHAVIOUR),
    "translate/passes/guards": (
        *(*_PASSES, "tests/proofs/test_ranges.py", "tests/proofs/test_guards.py"),
        *_BEHAVIOUR,
    ),
    "translate/reference": ("tests/unit/vkrunner/reference", "tests/report"),
    "translate/reflection.py": ("tests/unit/test_reflection.py", "tests/constants"),
    "translate/spirv": (
        *("tests/golden", "tests/proofs/test_decorations.py", "tests/rows", "tests/bounds"),
        *("tests/textures", "tests/formats", "tests/debug"),
    ),
    "vkrunner": ("tests/unit/vkrunner", "tests/running", "tests/constants"),
    "vkrunner/binding": ("tests/constants", "tests/bounds/test_views.py", "tests/textures"),
    "vkrunner/shader/cache": (),
    "vkrunner/api/chunk_workers.py": ("tests/running/test_chunks.py",),
    "vkrunner/api/chunks.py": ("tests/running/test_chunks.py",),
    "vkrunner/cli": ("tests/plugin",),
    "vkrunner/pytest_plugin.py": ("tests/plugin",),
    "vkrunner/reference": ("tests/constants", "tests/report"),
    "vkrunner/resources": ("tests/running", "tests/textures", "tests/bounds/test_views.py"),
    "vkrunner/shadertest": ("tests/hlsl/test_vkd3d.py", "tests/shaders", "tests/plugin"),
    "vkrunner/values": (
        *("tests/unit/vkrunner/resources", "tests/unit/vkrunner/binding"),
        *("tests/unit/vkrunner/test_testing.py", "tests/unit/vkrunner/shadertest"),
    ),
    "vkrunner/vulkan": ("tests/running", "tests/faults", "tests/unit/vkrunner"),
}


def suite_of(root: Path, module: str) -> tuple[str, ...]:
    """pytest's arguments for `translate/...` or `vkrunner/...`: the nearest tests first."""
    package, *within = Path(module).with_suffix("").parts
    *folders, name = within
    mirror = "/".join((UNIT, *folders) if package == "translate" else (UNIT, package, *folders))
    own = [f"{mirror}/test_{name}.py"] + ([mirror] if folders else [])
    nearest = max((key for key in FOLDERS if f"{module}/".startswith(f"{key}/")), key=len)
    return tuple(dict.fromkeys(p for p in (*own, *FOLDERS[nearest]) if (root / p).exists()))
