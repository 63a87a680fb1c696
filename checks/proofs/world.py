"""Memory at the start of a module: contents, and sizes of views; the same before and after a pass.

An element of memory is a dword, or a texel of four dwords. Its key is its place in a view: the
number of a dword, or all coordinates of a texel; for an array of resources the descriptor's index
comes first. Elements before a window have the keys that a subtraction gives, modulo 2^44 or 2^32.
Numbers of dwords have 44 bits, so that no other wraps.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field

import z3

from translate.ir.memory import MemoryKind, Resource
from translate.ir.values import Module
from translate.target_device import LARGEST_VIEW, Robustness

from .meaning import Term, flushed, word

WIDTH = 44
SLICE = 2  # the coordinate of a 3D image that a window moves
_MOST_GROUPS = 65535  # D3D11_CS_DISPATCH_MAX_THREAD_GROUPS_PER_DIMENSION
_MOST_LEVELS = 32  # an extent has 32 bits
BYTES = (MemoryKind.RAW, MemoryKind.SHARED_RAW)
STRUCTURES = (MemoryKind.STRUCTURED, MemoryKind.SHARED_STRUCTURED)


def long(term: Term) -> Term:
    return z3.ZeroExt(WIDTH - term.size(), term)


def number(value: int) -> Term:
    return z3.BitVecVal(value, WIDTH)


def key_of(descriptor: Term | None, *numbers: Term) -> Term:
    parts = [*numbers] if descriptor is None else [descriptor, *numbers]
    return parts[0] if len(parts) == 1 else z3.Concat(*parts)


def key_bits(resource: Resource) -> int:
    own = 32 * resource.address_count if resource.is_texels else WIDTH
    return own + 32 * resource.is_array


def width_of(resource: Resource) -> int:
    """Dwords of an element: a structure, a vector, or a dword."""
    if resource.kind in STRUCTURES:
        return resource.stride // 4
    return 1 if resource.kind in BYTES else 4


def read(contents: Term, key: Term) -> Term:
    """An element of contents, as a choice between all that was stored: z3 is faster so."""
    known: dict[int, Term] = {}

    def at(array: Term) -> Term:
        if array.get_id() not in known:
            known[array.get_id()] = found(array)
        return known[array.get_id()]

    def found(array: Term) -> Term:
        if z3.is_quantifier(array):
            return z3.substitute_vars(array.body(), key)
        if z3.is_store(array):
            before, stored, new = array.children()
            return z3.If(stored == key, new, at(before))
        if array.decl().kind() == z3.Z3_OP_ITE:
            condition, one, other = array.children()
            return z3.If(condition, at(one), at(other))
        return z3.Select(array, key)

    return at(contents)


def flushed_contents(contents: Term) -> Term:
    """Dwords without denormals."""
    key = z3.Const("key", contents.domain())
    return z3.Lambda([key], flushed(z3.Select(contents, key)))


@dataclass(slots=True)
class View:
    """A view of dwords: `elements`, all `dwords`, of which the first is `first` of `bound` ones."""

    elements: Term
    dwords: Term
    first: Term
    bound: Term


@dataclass(slots=True)
class TexelView:
    """A view of texels: the extents of its first mip, and layers. All are 0 of a null view.

    A window is `extents[axis]` of `bound` texels of a buffer or slices, from `first` on.
    """

    extents: list[Term]
    levels: Term
    samples: Term
    first: Term
    bound: Term
    axis: int

    @property
    def exists(self) -> Term:
        return self.extents[0] != 0


@dataclass(slots=True)
class World:
    """`given`: conditions of contents and sizes. `windowed`: registers with a window.

    `placed`: inputs are places of threads; else they are any words, so that floats made of them
    are any floats.
    """

    robustness: Robustness
    windowed: frozenset[str] = frozenset()
    placed: bool = True
    given: list[Term] = field(default_factory=list)
    views: dict[tuple[str, Term | None], View] = field(default_factory=dict)
    texels: dict[tuple[str, Term | None], TexelView] = field(default_factory=dict)
    products: dict[int, dict[Term, Term]] = field(default_factory=dict)

    def _choose(self, resource: Resource, name: str, descriptor: Term | None) -> Term:
        """A number that belongs to a view."""
        name = f"{name}.{resource.register}"
        if descriptor is None:
            return z3.BitVec(name, 32)
        return z3.Function(name, z3.BitVecSort(32), z3.BitVecSort(32))(descriptor)

    # --- dwords ----------------------------------------------------------------------------

    def view(self, resource: Resource, descriptor: Term | None = None) -> View:
        key = (resource.register, descriptor)
        if key not in self.views:
            self.views[key] = self._view(resource, descriptor)
        return self.views[key]

    def _view(self, resource: Resource, descriptor: Term | None) -> View:
        width, none = width_of(resource), number(0)
        if resource.length:
            length = resource.length // 4 if resource.kind in BYTES else resource.length
            dwords = self.times(number(length), width)
            return View(number(length), dwords, none, dwords)
        elements, rest = long(self._choose(resource, "size", descriptor)), none
        most = LARGEST_VIEW if self.robustness.exact_buffers else 1 << 32
        if width > 1 and not self.robustness.exact_buffers:  # docs/out-of-bounds.md
            rest = long(self._choose(resource, "rest", descriptor))
            self.given.append(z3.ULT(rest, number(width)))
        dwords = self.times(elements, width) + rest
        self.given.append(z3.ULE(elements, number(most // (4 * width))))
        self.given.append(z3.ULE(dwords, number(most // 4)))
        if resource.register not in self.windowed:
            return View(elements, dwords, none, dwords)
        first = long(self._choose(resource, "first", descriptor))
        bound = long(self._choose(resource, "bound", descriptor))
        self.given += [z3.ULE(first + dwords, bound), z3.ULE(bound, number(most // 4))]
        self.given.append(z3.Implies(dwords == 0, first == 0))  # as the runner pushes it
        return View(elements, dwords, first, bound)

    def product(self, index: Term, resource: Resource) -> Term:
        """The first dword of an element."""
        return self.times(index, width_of(resource))

    def times(self, factor: Term, width: int) -> Term:
        """A number times a width, as a term with the properties that arithmetic gives a product.

        z3 does not multiply all numbers in time. Products are in the order of the numbers, with at
        least a width between different ones.
        """
        factor = z3.simplify(factor)
        if width & (width - 1) == 0:
            return factor * width
        known = self.products.setdefault(width, {})
        if factor in known:
            return known[factor]
        sort = z3.BitVecSort(WIDTH)
        found = z3.Function(f"times{width}", sort, sort)(factor)
        if z3.is_bv_value(factor):
            found = number(factor.as_long() * width)
        elif not known:
            self.times(number(LARGEST_VIEW // (4 * width)), width)
        self.given.append(z3.ULE(found, number(0xFFFFFFFF * width)))
        for other, product in known.items():
            for (a, x), (b, y) in itertools.permutations(((factor, found), (other, product))):
                self.given.append(z3.Implies(z3.ULT(a, b), z3.ULE(x + width, y)))
                self.given.append(z3.Implies(a == b, x == y))
        known[factor] = found
        return found

    # --- texels ----------------------------------------------------------------------------

    def texel_view(self, resource: Resource, descriptor: Term | None = None) -> TexelView:
        key = (resource.register, descriptor)
        if key not in self.texels:
            self.texels[key] = self._texel_view(resource, descriptor)
        return self.texels[key]

    def _texel_view(self, resource: Resource, descriptor: Term | None) -> TexelView:
        shape = resource.shape
        names = [f"extent{axis}" for axis in range(shape.coordinates)]
        extents = [self._choose(resource, name, descriptor) for name in names]
        levels = self._choose(resource, "levels", descriptor)
        samples = self._choose(resource, "samples", descriptor)
        for extent in extents[1:]:
            self.given.append((extent == 0) == (extents[0] == 0))
        self.given.append((levels == 0) == (extents[0] == 0))
        self.given.append(z3.ULE(levels, word(_MOST_LEVELS)))
        axis = SLICE if resource.is_image else 0
        first, bound = word(0), extents[0]
        if resource.register in self.windowed:
            first = self._choose(resource, "first", descriptor)
            bound = self._choose(resource, "bound", descriptor)
            self.given += [z3.ULE(extents[axis], bound), z3.ULE(first, bound - extents[axis])]
            self.given.append(z3.Implies(extents[axis] == 0, first == 0))
        return TexelView(extents, levels, samples, first, bound, axis)

    # --- contents and inputs -----------------------------------------------------------------

    def start(self, resource: Resource) -> Term:
        sort = z3.BitVecSort(key_bits(resource))
        if resource.kind is MemoryKind.INDEXABLE_TEMP:
            return z3.K(sort, word(0))
        contents = self.contents(resource, "memory")
        for place, dword in enumerate(resource.contents):
            contents = z3.Store(contents, number(place), word(dword))
        return contents

    def contents(self, resource: Resource, name: str) -> Term:
        """Unknown dwords or texels for every key."""
        sort = z3.BitVecSort(key_bits(resource))
        element = z3.BitVecSort(128 if resource.is_texels else 32)
        return z3.Array(f"{name}.{resource.register}", sort, element)

    def input(self, module: Module, name: str, component: int) -> Term:
        """A thread's place: anywhere in its group, which is anywhere in a dispatch of D3D."""
        if not self.placed:
            return z3.BitVec(f"{name}.{component}", 32)
        places = [z3.BitVec(f"vThreadIDInGroup.{axis}", 32) for axis in range(3)]
        group = z3.BitVec(f"vThreadGroupID.{component}", 32)
        x, y, _ = module.thread_group
        limits = [z3.ULT(p, word(n)) for p, n in zip(places, module.thread_group, strict=True)]
        self.given += [*limits, z3.ULT(group, word(_MOST_GROUPS))]
        if name == "vThreadIDInGroupFlattened":
            return places[0] + places[1] * x + places[2] * (x * y)
        if name == "vThreadIDInGroup":
            return places[component]
        if name == "vThreadGroupID":
            return group
        return group * module.thread_group[component] + places[component]
