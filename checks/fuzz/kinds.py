"""The kinds of statements; `python -m checks.fuzz --only KIND` draws one kind alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from . import arrays, rounds, sampling, slices, textures
from .buffers import add, constants, counted, load, own, size
from .doubles import double
from .doubles import from_bits as double_from_bits
from .doubles import to_bits as double_to_bits
from .floats import comparison, conversion, move, nearly, number, row_products, zero_product
from .floats import from_bits as float_from_bits
from .floats import to_bits as float_to_bits
from .integers import integer
from .scope import Scope, Statement
from .shared import access, fence

SM5, SM51 = (5, 0), (5, 1)
_COUNTED = 4  # statements that append or consume


def _always(s: Scope) -> bool:
    return True


def _has_doubles(s: Scope) -> bool:
    return s.abilities.doubles and s.special


def _once(s: Scope) -> bool:
    """Whether each thread executes this place once, so that lists are never used up."""
    return not (s.loops or s.in_subroutine) and s.appends + s.consumes < _COUNTED


@dataclass(frozen=True)
class Kind:
    """Statements of a kind, each as often as its weight, and the places where they are allowed.

    `version` is the oldest model that has them.
    """

    name: str
    makers: Sequence[Statement]
    may_stand: Callable[[Scope], bool] = _always
    version: tuple[int, int] = (4, 0)


_CONVERSIONS = (comparison, conversion, float_from_bits, float_to_bits, nearly, move)
KINDS = (
    Kind("integers", (integer,) * 8),
    Kind("floats", (number,) * 4 + _CONVERSIONS),
    Kind("doubles", (double,) * 4 + (double_from_bits, double_to_bits), _has_doubles, SM5),
    Kind("zeros", (zero_product,) * 2 + (row_products,), lambda s: s.special),
    Kind("buffers", (load,) * 3),
    Kind("constants", (constants,)),
    Kind("buffers", (own, own, own, add, size), version=SM5),
    Kind("counters", (counted,), _once, SM5),
    Kind("textures", (textures.texture, sampling.ordinary, textures.texture_uav), version=SM5),
    Kind("multisampled", textures.OF_SAMPLES, version=SM5),
    Kind("slices", (slices.access,) * 2, version=SM5),
    Kind("rounds", (rounds.rounds,) * 2),
    Kind("many_rounds", (rounds.many,)),
    Kind("fences", (fence,), version=SM5),
    Kind("shared", (access,) * 3, lambda s: s.phase is not None, SM5),
    Kind("arrays", (*(arrays.load,) * 4, *(arrays.own,) * 3, arrays.size), version=SM51),
    Kind("images", (arrays.image,) * 3, version=SM51),
    Kind("lists", (arrays.counted,), _once, SM51),
    Kind("sampling", (*(sampling.anywhere,) * 4, sampling.compare), version=SM5),
    Kind("cubes", (sampling.cube,) * 2, version=SM5),
)
FLOW = "flow"  # selections, loops, switches, calls, barriers
NAMES = tuple(dict.fromkeys([*(kind.name for kind in KINDS), FLOW]))


def makers_of(s: Scope) -> list[Statement]:
    """The statements that are allowed here, without control flow."""
    only = s.abilities.only
    return [
        maker
        for kind in KINDS
        if (not only or kind.name in only) and kind.version <= s.abilities.version
        if kind.may_stand(s)
        for maker in kind.makers
    ]


def has_flow(s: Scope) -> bool:
    """Whether control flow is drawn."""
    return not s.abilities.only or FLOW in s.abilities.only


def has_phases(s: Scope) -> bool:
    """Whether there are group-shared memory and barriers."""
    only = s.abilities.only
    return s.abilities.version >= SM5 and (
        not only or not only.isdisjoint((FLOW, "shared", "fences", "rounds"))
    )


def versions_of(only: frozenset[str], newest: tuple[int, int]) -> tuple[tuple[int, int], ...]:
    """The models to draw from: those that have one of the kinds."""
    usual = ((5, 0),) * 6 + ((5, 1),) * 5 + ((4, 0), (4, 1))
    least = min((k.version for k in KINDS if k.name in only), default=(4, 0))
    return tuple(version for version in usual if least <= version <= newest)
