"""Claims about guards: each access is in bounds or does not happen, and gives D3D's result.

For every index, offset and size, and for every stride; with each robust access of a device. The
module after `guard_bounds`, and once more after folding has left checks out, is compared with the
module before by D3D's rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from translate.ir.parser import parse_module
from translate.ir.values import Module
from translate.options import Options
from translate.passes.pipeline import passes
from translate.target_device import device_of

from .meaning import Term
from .proving import Claim, together
from .same import Rules, differences

MOST_STRIDE = 2048
ROBUST: dict[str, frozenset[str]] = {
    "": frozenset(),
    ", robust": frozenset({"robust_buffer_access"}),
    ", exact": frozenset({"robust_buffer_access", "robust_buffer_access2"}),
}
ROBUST_IMAGES: dict[str, frozenset[str]] = {
    "": frozenset(),
    ", robust": frozenset({"robust_image_access"}),
}
LAST = "remove_dead.2"
_INPUTS = """  %0: u32 = load 0 (t9.0)
  %1: u32 = load 4 (t9.0)
  %20: u32 = load 8 (t9.0)
  %21: u32 = load 12 (t9.0)
  %22: u32 = load 16 (t9.0)
"""
_HEAD = """module PROFILE
thread_group 8 4 2
resource t9 raw 9
resource u9 raw 9 is_uav
resource s0 sampler 0
"""


def text_of(resource: str, body: str, profile: str = "cs_5_0") -> str:
    """A module with a resource; its body may use %0, %1, %20, %21 and %22, which may be any."""
    head = _HEAD.replace("PROFILE", profile)
    return f"{head}resource {resource}\nfunction main {{\n{_INPUTS}{body}  return\n}}\n"


def guarded_by(text: str, options: Options, last: str) -> tuple[Module, Module]:
    """The module, and the module after the passes from the guards to `last`."""
    before, after = parse_module(text), parse_module(text)
    listed = [one.name for one in passes(options)]
    for one in passes(options)[listed.index("guard_bounds") : listed.index(last) + 1]:
        one.run(after)
        after.after = one.name
    return before, after


def holds(
    text: str, robust: frozenset[str], last: str, *, specialize: bool = False
) -> Iterator[Term]:
    device = device_of(Options(robust_access=robust))  # type: ignore[arg-type]
    options = Options(specialize=True) if specialize else Options(robust_access=robust)  # type: ignore[arg-type]
    before, after = guarded_by(text, options, last)
    moved = after.after == LAST
    rules = Rules(device.robustness, guarded=False, moved=moved)
    return together(differences(before, after, rules))


# --- accesses by unknown addresses ------------------------------------------------------------

LOAD = """  %2: u32 = load ADDRESS (R.0)
  store 0, %2 (u9.0)
"""
LOADS = """  %2: u32 = load ADDRESS (R.0)
  %3: u32 = load ADDRESS (R.1)
  %4: u32 = load ADDRESS (R.2)
  %5: u32 = load ADDRESS (R.3)
  store 0, %2, %3, %4, %5 (u9.0)
"""
STORE = "  store ADDRESS, 5, 6, 7, 8 (R.0)\n"
ONE = "  store ADDRESS, 5 (R.0)\n"
ATOMIC = """  %2: u32 = atomic ADDRESS, 3 (R.0 iadd)
  store 0, %2 (u9.0)
"""
DWORDS = {"load": LOAD, "loads": LOADS, "store": STORE, "atomic": ATOMIC}
_KINDS: dict[str, tuple[str, dict[str, str]]] = {
    "u0 raw 0 is_uav": ("%0", DWORDS),
    "t0 raw 0": ("%0", {"loads": LOADS}),
    "g0 shared_raw 0 length=60": ("%0", DWORDS),
    "x0 indexable_temp 0 length=5": ("%0", {"loads": LOADS, "store": f"{ONE}{LOAD}"}),
    "cb0 constants 0 length=7": ("%0", {"loads": LOADS}),
    "g0 shared_structured 0 length=9 stride=12": ("%0, %1", {"load": LOAD, "store": STORE}),
}


def of_kinds() -> Iterator[Claim]:
    """Every kind of memory of dwords but for structures in views."""
    for resource, (address, bodies) in _KINDS.items():
        for name, body in bodies.items():
            yield from claims(f"{name} of {resource}", _text(resource, body, address))


def of_strides(step: int = 4) -> Iterator[Claim]:
    """Structures of every size."""
    for stride in range(4, MOST_STRIDE + 1, step):
        yield from _of_stride(stride)


def _of_stride(stride: int) -> Iterator[Claim]:
    resource = f"u0 structured 0 is_uav stride={stride}"
    text = _text(resource, LOAD + ONE, "%0, %1")
    yield from claims(f"load and store of {resource}", text, lasts=("guard_bounds",))
    if stride % 8 == 0:
        text = _text(resource, LOADS + STORE, f"%0, {max(stride - 16, 0)}")
        yield from claims(f"loads of a vector of {resource}", text, lasts=("guard_bounds",))


def _text(resource: str, body: str, address: str) -> str:
    register = resource.split()[0]
    return text_of(resource, body.replace("ADDRESS", address).replace("(R.", f"({register}."))


def claims(
    name: str,
    text: str,
    robust: Mapping[str, frozenset[str]] = ROBUST,
    lasts: Sequence[str] = ("guard_bounds", LAST),
) -> Iterator[Claim]:
    """The claims about a module, with each robust access, and after each of the passes.

    After the last one also with a specialization constant for each robust access.
    """
    for shown, features in robust.items():
        for last in lasts:
            yield Claim(f"{name}{shown}, after {last}", partial(holds, text, features, last))
        if LAST in lasts:
            specialized = partial(holds, text, features, LAST, specialize=True)
            yield Claim(f"{name}{shown}, specialized", specialized)
