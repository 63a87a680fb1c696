"""The corpus' modules: after lowering, and after every pass."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import translate
from translate.ir.memory import VIEWS, MemoryKind, Resource
from translate.ir.row import Stage
from translate.ir.values import Module
from translate.options import INDEXING_FEATURES, WORKAROUNDS
from translate.passes.pipeline import LOWERED, Pass, passes
from translate.pipeline import lowered

from ..coverage import builds
from ..slow import share

ROOT = Path(__file__).parents[2]
FIRST = Pass(LOWERED, lambda module: None, Stage.LOWERED)

# Shaders that are translated with every set of options, and shaders with the first set only
RANGES = ROOT / "tests/ir/shaders/ranges.asm"
CORPUS = [
    *sorted((ROOT / "tests/corpus").rglob("*.dxbc")),
    *sorted((ROOT / "shaders").glob("*.dxbc")),
    RANGES,
]
MORE = sorted(
    path
    for name in (
        *("coverage/compiled/*.dxbc", "textures/data/**/*.dxbc", "constants/**/*.dxbc"),
        *("fuzz/regressions/*.asm", "golden/shaders/*.asm"),
    )
    for path in (ROOT / "tests").glob(name)
)
OPTIONS = {
    "d3d": translate.Options(size_tables="dynamic"),
    "report": translate.Options(guards="report"),
    "robustness2": translate.Options(guards="robustness2", optimize=False),
    "off": translate.Options(
        guards="off",
        denormals="device",
        float_controls=frozenset({"rounding_mode_rte_32"}),
        denormal_test="bits",
        workarounds=frozenset({"slow_min_max"}),  # none with specialization constants
    ),
    "faults": translate.Options(
        specialize=True, workarounds=WORKAROUNDS, missing_indexing=frozenset(INDEXING_FEATURES)
    ),
}
FORMATS = {RANGES: {"u5": ("r8g8b8a8_unorm", "r32_float"), "t2": ("r32_float", "")}}
Case = tuple[Path, str]
_QUICK = 8  # one in so many cases is not slow
EVERY: list[Case] = [
    *((path, name) for path in CORPUS for name in OPTIONS),
    *((path, "d3d") for path in MORE),
]


def parameters(cases: Sequence[Case]) -> list[Any]:
    """Cases for `parametrize`: some from all over the list, the rest with --slow, --thorough."""
    return share(cases, name_of, _QUICK, "every shader of the corpus")


def name_of(case: Case) -> str:
    path, options = case
    return f"{path.relative_to(ROOT).with_suffix('').as_posix()}-{options}"


def options_of(case: Case, program: translate.Program) -> translate.Options:
    """The options of a case, with class instances where the shader needs them.

    With the usual guards, every UAV that can have a window has one.
    """
    path, name = case
    chosen = builds.options(path.name.partition(".")[0])
    options = replace(OPTIONS[name], **chosen, formats=FORMATS.get(path, {}))
    return with_windows(program, options) if name == "d3d" else options


def with_windows(program: translate.Program, options: translate.Options) -> translate.Options:
    """The options, with windows for all UAVs that can have one."""
    resources = lowered(program, options).resources
    return replace(options, windows=frozenset(r.register for r in resources if can_be_windowed(r)))


def stages(case: Case) -> Iterator[tuple[Pass, Module]]:
    """A shader's module after each pass."""
    program = translate.load(case[0])
    options = options_of(case, program)
    module = lowered(program, options)
    yield FIRST, module
    for one in passes(options):
        one.run(module)
        module.after = one.name
        yield one, module


def can_be_windowed(resource: Resource) -> bool:
    """Whether a resource is a UAV of a single buffer; read-only resources are loaded as vectors."""
    texels = resource.kind is MemoryKind.TYPED and resource.shape.is_buffer
    return resource.is_uav and not resource.is_array and (texels or resource.kind in VIEWS)
