"""The programs that are interpreted: corpus shaders and random programs, with resources."""

import re
import zlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar, get_args

import numpy as np

import translate
from checks.fuzz.binding import contents, element_bytes, mip_shape, words
from checks.fuzz.case import Argument
from checks.fuzz.case import Case as Drawn
from checks.fuzz.kinds import NAMES
from checks.fuzz.scope import Abilities
from checks.interpret import D3D, Outcome, interpret
from translate import reference
from translate.interface import TEXTURE
from translate.ir.memory import Resource as Declared
from translate.ir.row import Stage
from translate.ir.values import Module
from translate.options import Options
from translate.pipeline import lowered
from translate.reference.resources import Buffer, Resource, Sampler, Texture
from vkrunner.values.formats import format_of_name

from ..coverage import builds
from ..ir.corpus import OPTIONS, with_windows
from ..slow import share
from . import inputs

T = TypeVar("T")
Triple = tuple[int, int, int]
Array = np.ndarray[Any, Any]

FLUSHING = Options(  # and robust: a device with every mode
    float_controls=frozenset({"denorm_flush_to_zero_32", "rounding_mode_rte_32"}),
    robust_access=frozenset(get_args(translate.RobustAccess)),
    size_tables="non_uniform",
)
SETS = {**OPTIONS, "flushing": FLUSHING}
# Shaders whose loops have as many rounds as a dword of a random buffer
ENDLESS = ("loop_sum", "sha256")
# Shaders that, with seed 0, sample so near a texel's edge that rounding selects the texel
BETWEEN_TEXELS = {"sample_cubearray": 1}
# Shaders with out-of-bounds accesses on any resources: options that leave these to the device are
# checked only before the guards
LEAVING = (
    *("bounds", "count_in_circle", "equalise", "gaussian_blur", "grey_histogram"),
    *("histogram_image", "mix_tracks", "moving_average", "particles_step", "prefix_sum", "ranges"),
    *("reduce", "sobel", "textures_typed"),
)
_REGISTER = re.compile(r"([a-z]+)(\d+)(.*)")
_UNGUARDED = ("off", "robustness2")
_AFTER = 5  # elements after a view
_CAUSES = (
    *(reference.OUTSIDE, reference.PAST_STRIDE, reference.UNALIGNED, reference.UNINITIALISED),
)


@dataclass(frozen=True)
class Subject:
    """A program to translate and run."""

    program: translate.Program
    options: Options
    resources: dict[str, Resource]
    groups: Triple

    def module(self) -> Module:
        """A new module of the program, after lowering."""
        return lowered(self.program, self.options)

    def lowered_outcome(self) -> Outcome:
        """The outcome after lowering, with D3D's treatment of denormals."""
        module = self.module()
        return interpret(module, Stage.LOWERED, self.resources, self.groups, denormals=D3D)

    def reference_outcome(self) -> reference.Outcome:
        """The outcome on the reference machine."""
        instances = self.options.class_instances
        return reference.run(self.program, self.resources, self.groups, class_instances=instances)


def of_corpus(path: Path, options: str, seed: int) -> Subject:
    """A shader with random resources."""
    program = translate.load(path)
    chosen = replace(SETS[options], **builds.options(path.name.partition(".")[0]))
    module = lowered(program, chosen)
    chosen = replace(
        chosen, formats=inputs.formats(module, seed), array_lengths=inputs.lengths(module)
    )
    if options == "d3d":
        chosen = with_windows(program, chosen)
    bindings = inputs.bindings(lowered(program, chosen), seed, roomy=chosen.guards in _UNGUARDED)
    return Subject(program, chosen, bindings, (2, 1, 1))


# --- random programs -----------------------------------------------------------------------------


# Of random programs; the interpreter ends loops of very many rounds
ABILITIES = Abilities(only=frozenset(NAMES) - {"many_rounds"})


def of_drawn(case: Drawn, options: str) -> Subject:
    """A random program with its arguments."""
    program = translate.load(case.listing)
    resources: dict[str, Resource] = {}
    formats: dict[str, list[str]] = {}
    for argument in case.arguments:
        resources[register_of(argument)] = bound(argument, case.seed)
        if argument.format:
            formats.setdefault(argument.register, []).append(_format(argument))
    counts = Counter(a.register for a in case.arguments)
    declared = {r.register: r for r in lowered(program, SETS[options]).resources}
    unbounded = [name for name, resource in declared.items() if not resource.count]
    chosen = replace(
        SETS[options],
        formats={name: _of_all(declared[name], f) for name, f in formats.items()},
        array_lengths={name: counts[name] for name in unbounded},
        constant_lengths=_constant_lengths(case, resources, declared),
    )
    if options == "d3d":
        chosen = with_windows(program, chosen)
    return Subject(program, chosen, resources, case.groups)


def _constant_lengths(
    case: Drawn, resources: Mapping[str, Resource], declared: Mapping[str, Declared]
) -> dict[str, int]:
    """The vectors of constant buffers that are larger than declared, by register."""
    lengths: dict[str, int] = {}
    for argument in case.arguments:
        buffer, name = resources[register_of(argument)], argument.register
        if name.startswith("cb") and isinstance(buffer, Buffer):
            size = len(buffer.data) - buffer.offset if buffer.size is None else buffer.size
            lengths[name] = max(lengths.get(name, 0), -(-size // 16))
    return {name: n for name, n in lengths.items() if n > declared[name].length}


def register_of(argument: Argument) -> str:
    """The register of an argument, also within a range."""
    match = _REGISTER.fullmatch(argument.register)
    assert match is not None
    return f"{match[1]}{int(match[2]) + (argument.element or 0)}{match[3]}"


def _of_all(declared: Declared, formats: list[str]) -> str | tuple[str, ...]:
    """The formats of a range, also of its registers without an argument."""
    if not declared.is_array:
        return formats[0]
    missing = (declared.count or len(formats)) - len(formats)
    return (*formats, *[f"r32_{declared.component}"] * missing)


def _format(argument: Argument) -> str:
    """A null resource has the simplest format of its component, as in the runner."""
    if argument.placement != "null":
        return argument.format
    return f"r32_{format_of_name(argument.format).component}"


def bound(argument: Argument, seed: int) -> Resource:
    """An argument of a random program as a resource of the reference machine."""
    a = argument
    if a.kind == "sampler":
        return _sampler(a)
    if a.placement == "null" or (a.placement == "empty" and a.format):
        return None
    rng = np.random.default_rng([seed, zlib.crc32(a.name.encode())])
    if a.kind == "texture":
        return _texture(a, rng)
    (count,) = a.shape
    total = count if a.placement == "array" else a.first + count + _AFTER
    data = _bytes(_contents(a, rng, total))
    if a.placement in ("array", "buffer"):
        return Buffer(data, format=a.format or None, counter=a.counter)
    size = element_bytes(a)
    shown = count * size if a.placement == "view" else 0
    return Buffer(data, a.first * size, shown, a.format or None, a.counter)


def _contents(argument: Argument, rng: np.random.Generator, total: int) -> Array:
    if argument.format:
        format = format_of_name(argument.format)
        return contents(rng, (total,), format, whole=argument.whole)
    return words(rng, (total, element_bytes(argument) // 4)) * np.uint32(not argument.zero)


def _bytes(data: Array) -> Array:
    return np.ascontiguousarray(data).view(np.uint8).reshape(-1)


def _texture(argument: Argument, rng: np.random.Generator) -> Texture:
    format = format_of_name(argument.format)
    dimension = argument.dimension.removeprefix("texture")
    mips: list[Array] = []
    for mip in range(argument.mips):
        shape = mip_shape(argument, mip)
        whole = argument.whole or argument.register[0] == "t"
        texels = _bytes(contents(rng, shape, format, whole=whole))
        if dimension.startswith("1d"):
            shape = (*shape[:-1], 1, shape[-1])
        rows = (*shape[-2:], 1, format.texel_bytes)
        mips.append(texels.reshape(-1, *rows))
    return Texture(tuple(mips), argument.format, dimension)


def _sampler(argument: Argument) -> Sampler:
    near, far, mip = argument.filter
    given = argument.address
    u, v, w = (given, given, given) if isinstance(given, str) else given
    made = Sampler(near, far, mip, (u, v, w), argument.comparison or "never")
    if not argument.border:
        return made
    r, g, b, a = argument.border
    return replace(made, border=(r, g, b, a))


def parameters(
    cases: Sequence[T], name: Callable[[T], str], every: int, slow_of: int = 4
) -> list[Any]:
    """Cases for `parametrize`: each `every`-th always, the rest with --slow and --thorough."""
    return share(cases, name, every, "every shader of the corpus, many random programs", slow_of)


def stem(path: Path) -> str:
    """A shader's name, without the profile and the optimisation."""
    return path.name.partition(".")[0]


# --- reports -------------------------------------------------------------------------------------


def reported(outcome: Outcome) -> Counter[Any]:
    """The reports of a module, by instruction."""
    found: Counter[Any] = Counter()
    for r, count in outcome.reported.items():
        place = (r.index, r.byte_offset, r.coordinates)
        found[r.where.instruction, _CAUSES[r.cause], r.thread, r.group, *place] += count
    return found


def reported_by_reference(findings: reference.Findings) -> Counter[Any]:
    """The reports of the reference machine, in the same form."""
    found: Counter[Any] = Counter()
    for v in findings.violations:
        coordinates = v.address[1:] if v.kind == TEXTURE else ()
        place = (v.index, v.byte_offset, coordinates)
        found[v.instruction, v.cause, v.thread, v.group, *place] += 1
    return found
