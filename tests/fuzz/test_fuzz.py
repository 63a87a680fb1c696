"""Random programs on a device and on the reference machine, and earlier findings of the search."""

import itertools
import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

import translate
from checks.fuzz.case import Argument, Case, parse
from checks.fuzz.compare import DifferenceError, check
from checks.fuzz.dice import drawn
from checks.fuzz.kinds import NAMES
from checks.fuzz.known import KNOWN
from checks.fuzz.scope import Abilities
from checks.fuzz.search import Search
from checks.fuzz.textures import DIMENSIONS
from translate.ir.row import Stage
from translate.ir.verify import verify
from translate.isa import BY_NAME, ROWS
from translate.isa.instruction import Flow, Instruction, Kind
from translate.lower import lower_program
from translate.options import INDEXING_FEATURES
from translate.passes.pipeline import passes
from vkrunner import DispatchTimeout
from vkrunner.info.faults import FAULTS

from ..conftest import needs

PROGRAMS = 8  # of each seed
REGRESSIONS = sorted((Path(__file__).parent / "regressions").glob("*.asm"))


@pytest.mark.slow(reason="many random programs")
@pytest.mark.parametrize(
    "seed", [0, pytest.param(1, marks=pytest.mark.thorough(reason="a long random run"))]
)
def test_device_and_machine_agree(device: Any, machine: Any, seed: int) -> None:
    failure = Search(machine, device).run(seed, PROGRAMS)
    assert failure is None, f"{failure.problem}\n{failure.case.text}"


@pytest.mark.parametrize("path", REGRESSIONS, ids=lambda path: path.stem)
def test_earlier_findings(device: Any, machine: Any, path: Path) -> None:
    case = parse(path.read_text(encoding="utf-8"))
    options = translate.Options(optimize=False, missing_indexing=frozenset(INDEXING_FEATURES))
    features = translate.to_spirv(translate.load(case.listing), options).interface.features
    wanted = (n for n in features if n == "float64" or n.endswith("_indexing"))
    with needs(device, *wanted):
        check(machine, device, case)


def test_a_program_that_races_is_refused(device: Any, machine: Any) -> None:
    listing = (
        "cs_5_0\ndcl_tgsm_raw g0, 16\ndcl_input vThreadID.x\ndcl_temps 1\n"
        "dcl_thread_group 16, 1, 1\nstore_raw g0.x, l(0), vThreadID.x\nret\n"
    )
    with pytest.raises(ValueError, match="an order: g0 byte 0x0: store by thread 0,0,0"):
        check(machine, device, Case(listing, ()))


@pytest.mark.slow(reason="many random programs")
def test_every_pass_leaves_a_sound_module() -> None:
    for case in drawn(100, 20):
        module = lower_program(translate.load(case.listing))
        verify(module, Stage.LOWERED)
        for one in passes(translate.Options()):
            one.run(module)
            verify(module, one.stage)


def test_a_case_survives_its_text() -> None:
    for case in drawn(5, 20):
        assert parse(case.text) == case


def _is_drawn(row: Instruction) -> bool:
    """Whether the generator draws a row: not interfaces, and not drcp, which has its own tolerance.

    Messages would show registers with a tolerance; other tests cover them. Tiled-resource forms
    are drawn with the plain forms, but so few programs do not have all of them.
    """
    never = row.kind in (Kind.DECLARATION, Kind.MESSAGE) or row.flow is Flow.INTERFACE_CALL
    return not (never or row.name == "drcp" or row.feedback)


def _row_name(line: str) -> str:
    """The longest prefix of a mnemonic that names a row; the rest are suffixes."""
    parts = re.split(r"[^a-zA-Z0-9_]", line, maxsplit=1)[0].split("_")
    names = ("_".join(parts[:count]) for count in range(len(parts), 0, -1))
    return BY_NAME[next(name for name in names if name in BY_NAME)].name


@pytest.mark.slow(reason="hundreds of random programs")
def test_the_generator_draws_every_row_and_memory() -> None:
    names: set[str] = set()
    memories: set[tuple[str, str]] = set()
    for case in drawn(0, 500):
        names |= {_row_name(line) for line in case.listing.splitlines()[1:]}
        memories |= {(a.register, a.placement) for a in case.arguments}
    missing = {row.name for row in ROWS if _is_drawn(row)} - names
    assert missing == set(), "no statement of checks/fuzz/kinds.py draws them"
    assert {"dcl_tgsm_raw", "dcl_tgsm_structured", "dcl_indexableTemp", "ld_raw_s"} <= names
    everywhere = {"array", "buffer", "view", "empty", "null"}
    buffers = ("t0", "t1", "t2", "u0", "u1", "u3", "u4")
    assert {(register, p) for register in buffers for p in everywhere} - memories == set()
    assert {("t3", "array"), ("t3", "null"), ("u5", "null"), ("u6", "buffer")} <= memories


# Regular expressions that programs of a kind match: an index of each sort into each range, ranges
# of one register and unbounded ones, extreme coordinates.
_DRAWN = {
    "arrays": (
        *(r"ld_raw.* T10\[r10.x \+ \d\].* \{ nonuniform \}$", r"ld_raw.* T10\[\d\]\.\w+$"),
        *(r"ld_raw.* T10\[r10.x \+ \d\]\.\w+$", r"ld_structured.* T11\[r10.*nonuniform"),
        *(r"^ld .* T12\[r10.*nonuniform", r"mov .* CB10\[r10.*nonuniform"),
        *(r"store_raw U10\[r10.*nonuniform", r"store_structured U11\[r10.*nonuniform"),
        *(r"store_uav_typed U12\[r10.*nonuniform", r"ld_uav_typed.* U12\[r10.*nonuniform"),
        *(r"atomic_\w+ (r.*, )?U10\[r10", r"bufinfo .*\[r10.*nonuniform"),
        *(rf"dcl_.* {name}\[0:0\]" for name in ("T10", "T11", "T12", "U10", "U11", "U12", "CB10")),
        *(rf"dcl_.* {name}\[\d:\*\]" for name in ("T10", "T11", "U10", "CB10")),
        *(r"or r10.x, r10.x, l\(0x80000000\)", r"iadd r10.x, r10.x, l\(-1\)"),
    ),
    "images": (
        *(r"^ld .* T13\[r10.*nonuniform", r"store_uav_typed U13\[r10.*nonuniform"),
        *(r"resinfo_uint .*\[r10.*nonuniform", r"dcl_.* T13\[0:0\]", r"dcl_.* U13\[\d:\*\]"),
    ),
    "multisampled": (
        *(r"^ldms.* t7", r"^ldms_s.* t7", r"sampleinfo", r"samplepos", r"_texture2dms .* t7"),
        *(r"_texture2dmsarray .* t7", r"or r10.z, r10.z, l\(0x80000000\)", r"resinfo_.* t7"),
    ),
    "lists": (
        *(r"imm_atomic_alloc r4.x, U14\[r10.*nonuniform", r"imm_atomic_consume r4.x, U15\[r10"),
        *(r"dcl_.* U14\[0:0\]", r"dcl_.* U15\[\d:\*\]", r"^// dispatch .*report"),
    ),
    "sampling": (
        *(r"movc r4.x, .*l\(0x7fc00000\)", r"movc r4.y, .*l\(0x7f800000\)"),
        *(r"movc r4.x, .*l\(0xff800000\)", r"movc r10.z, .*l\(0x7fc00000\)"),
        *(r"movc r10.z, .*l\(0x4f000000\)", r"sample_l.* s2, r10.z", r"sample_l.* S10\[r10.y"),
        *(r"sample_l.* T13\[r10", r"gather4.* t4", r"sample_d.* t4", r"sample_c_lz", r"gather4_c"),
        *(rf"dcl_resource_{name} .* t4" for name in DIMENSIONS),
    ),
    "rounds": (
        *(rf"ld_\w+ .*, {at}" for at in (r"r4.x, t0", r"r13.., .* t1", r"r4.x, u9", r"r13.*, g1")),
        *(rf"mov .*, {name}\[r13" for name in ("cb0", "icb", "x0", "x1")),
        *(r"^ld_.* r13.xxxx, t2", r"^ld_.*\(texture.* t3", r"endloop(\n.*)*\n(endloop|breakc_nz)"),
        *(r"and r4.x, .*, l\(7\)\nuge r4.x, r13.x, r4.x\nbreakc_nz", r"if_z r4.x\n.*\nelse\nbreak"),
    ),
    "many_rounds": (r"uge r4.x, r13.x, l\(0x000186a0\)\nbreakc_nz", r'"many_rounds": true'),
    "zeros": (
        *(r"utof r4.xyzw, l\(0x00000000,", r"mul r4.xyzw, l\(0x00000001,", r"movc r4.xyzw, l\("),
        *(r"mov r4.xyzw, x2\[r4.x \+ 0\]", r"dp4 r4.y, .*, icb\[r13.x \+ 0\]"),
        *(r"mad r[56].*, r4.xyzw, ", r"dcl_immediateConstantBuffer { { 0x3f800000, 0x0,"),
    ),
    "constants": (r"mov .*, cb0\[r4.x \+ [0-3]\]", r'"cb0".*"shape": \[40\]', r'"cb0".*\[2\]'),
    "slices": (
        *(rf'"{name}".*"shape": \[1, .*texture(2darray|3d)' for name in ("t8", "u16")),
        *(r'"t8".*"window": \[2, ', r'"u16".*"window": \[\d, [12], 1\]', r'"u16".*"r8_uint"'),
        *(r"mov r4.z, l\(0x00000005\)", r"movc r4.y, r4.w, l\(0x80000000\), l\(0\)"),
        *(r"ld_uav_typed.* u16", r"store_uav_typed u16", r"atomic_\w+ .*u16", r"^ld_.* t8"),
    ),
    "cubes": (
        *(r"movc r4.x, .*l\(0x3f800000\)", r"dcl_resource_texturecube ", r"texturecubearray .* t5"),
        *(r"mov r4.xyz, r4.zxyx", r"sample_l.* t5.*, s2", r"sample_l.* t5.*, s3"),
    ),
}


@pytest.mark.parametrize("kind", NAMES)
def test_each_kind_is_drawn_by_itself(kind: str) -> None:
    cases = drawn(0, 60, Abilities(only=frozenset([kind])))
    text = "\n".join(case.text for case in cases)
    missing = [p for p in _DRAWN.get(kind, ()) if not re.search(p, text, re.MULTILINE)]
    assert not missing
    ranges = {a.register for case in cases for a in case.arguments if "_space" in a.register}
    assert bool(ranges) == (kind in ("arrays", "images", "lists", "sampling"))
    loops = ("flow", "shared", "fences", "rounds", "many_rounds", "zeros")
    assert ("\nloop\n" in text) == (kind in loops)


@pytest.mark.slow(reason="many programs are drawn")
def test_a_uniform_index_is_the_same_outside_of_branches() -> None:
    """Several drivers read it from a thread that is not in the branch: docs/drivers.md."""
    kinds = frozenset(["arrays", "images", "lists", "sampling", "flow"])
    found = 0
    for case in drawn(0, 60, Abilities(only=kinds)):
        lines = case.listing.splitlines()
        single = {name for name, _ in re.findall(r"(\w+)\[(\d+):\2\]", case.listing)}
        for n, line in enumerate(lines):
            for name, letter in re.findall(r"(\w+)\[r10\.(\w) \+ \d\](?!.* nonuniform)", line):
                if name in single:
                    continue
                sets = [at for at in lines[:n] if at.startswith(f"and r10.{letter},")]
                assert re.match(r"and r10\.\w, (vThreadGroupID|CB0\[0\]\[\d\]|l\()", sets[-1])
                found += 1
    assert found > 100


def _elements(kind: str, count: int = 120) -> list[list[Argument]]:
    """The elements of each range with more than one."""
    found: list[list[Argument]] = []
    for case in drawn(0, count, Abilities(only=frozenset([kind]))):
        names = dict.fromkeys(a.register for a in case.arguments if a.element is not None)
        found += [[a for a in case.arguments if a.register == name] for name in names]
    return [elements for elements in found if len(elements) > 1]


@pytest.mark.slow(reason="many programs are drawn")
def test_elements_of_a_range_differ() -> None:
    """They differ in size, in format, and in whether they are null."""
    arrays, images = _elements("arrays"), _elements("images")
    for kind in ("raw", "structured", "typed", "constants"):
        some = [elements for elements in arrays if elements[0].kind == kind]
        assert any(len({e.shape for e in elements}) > 1 for elements in some)
        placements = {e.placement for elements in some for e in elements}
        assert {"array", "view", "null"} <= placements
    assert any(len({e.shape for e in elements}) > 1 for elements in images)
    for some in (images, [elements for elements in arrays if elements[0].kind == "typed"]):
        assert any(len({e.format for e in elements}) > 1 for elements in some)
        assert any(e.placement == "null" for elements in some for e in elements)
    lists = _elements("lists")
    assert {e.counter for elements in lists for e in elements} > {0}
    assert {"buffer", "empty", "null"} == {e.placement for elements in lists for e in elements}


@pytest.mark.slow(reason="many programs are drawn")
def test_every_filter_and_address_mode_is_drawn() -> None:
    cases = drawn(0, 150, Abilities(only=frozenset(["sampling"])))
    bound = [a for case in cases for a in case.arguments]
    samplers = [a for a in bound if a.kind == "sampler" and not a.comparison]
    filters = {a.filter for a in samplers}
    assert filters == set(itertools.product(("point", "linear"), repeat=3))
    modes = {(axis, mode) for a in samplers for axis, mode in enumerate(a.address)}
    every = ("clamp", "wrap", "mirror", "border", "mirror_once")
    assert modes == set(itertools.product(range(3), every))
    assert {len(a.border) for a in samplers} == {0, 4}


@pytest.mark.thorough(reason="hundreds of random programs")
def test_a_failure_is_cut_down(device: Any, machine: Any) -> None:
    """It is reduced to the one instruction that matters and the frame of every program."""

    def fails(machine: Any, device: Any, case: Case, forms: tuple[str, ...]) -> None:
        if "bfrev" in case.listing:
            raise DifferenceError("optimize=True: it is there")

    failure = Search(machine, device, only=["integers"], compare=fails).run(3, 400)
    assert failure is not None
    body = failure.case.listing.partition("dcl_thread_group")[2].splitlines()[1:-1]
    assert body[0].startswith("bfrev")
    assert all(line.lower().startswith("store_structured u") for line in body[1:])
    assert failure.problem.endswith("it is there")


def test_after_its_time_a_search_tries_no_other_program(device: Any, machine: Any) -> None:
    compared: list[Case] = []

    def compare(machine: Any, device: Any, case: Case, forms: tuple[str, ...]) -> None:
        compared.append(case)
        raise DifferenceError("optimize=True: it is there")

    never = Search(machine, device, only=["integers"], compare=lambda *given: None)
    assert never.run(3, 10, until=0) is None
    assert never.count == 1
    failing = Search(machine, device, only=["integers"], compare=compare)
    assert failing.run(3, 10, until=0) is not None
    assert len(compared) > 1, "it is cut down"


@pytest.mark.thorough(reason="hundreds of random programs")
def test_a_device_that_does_not_answer_is_given_up(device: Any, machine: Any) -> None:
    stuck: list[Any] = []

    def hangs(machine: Any, used: Any, case: Case, forms: tuple[str, ...]) -> None:
        assert used not in stuck, "what hangs is not used again"
        if "bfrev" in case.listing:
            stuck.append(used)
            raise DispatchTimeout("it takes too long")

    reopened: list[Any] = []

    def reopen() -> Any:
        reopened.append(object())
        return reopened[-1]

    search = Search(machine, device, reopen=reopen, only=["integers"], compare=hangs)
    failure = search.run(3, 400)
    assert failure is not None
    assert failure.problem == "DispatchTimeout: it takes too long"
    assert stuck == [device, *reopened[:-1]]


def test_missing_abilities_are_not_drawn() -> None:
    able = Abilities(doubles=False, gather_offsets=False, null_textures=False, null_counters=False)
    for case in drawn(1, 60, able):
        assert "enableDouble" not in case.listing
        assert "gather4_po" not in case.listing
        assert all(a.placement != "null" for a in case.arguments if a.register in ("t3", "u5"))


def test_expected_differences_are_faults_without_a_workaround() -> None:
    assert [one.fault for one in KNOWN if FAULTS[one.fault].remedy == "worked around"] == []
    assert {name for one in KNOWN for name in one.abilities} <= {f.name for f in fields(Abilities)}
