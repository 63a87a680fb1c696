"""The report buffer, word by word in the layout of `translate.passes.guards.report`."""

import dataclasses

import numpy as np

from translate.interface import ReportSite, ShaderInterface
from vkrunner import Violations
from vkrunner.report.records import CAUSES
from vkrunner.vulkan.encode.step_commands import parse_report

SITES = (
    ReportSite(7, 40, "t0", "structured_buffer", (True, False, False, False), "a.hlsl", 3),
    ReportSite(9, None, "g0", "group_shared", (False, False, False, True)),
)


FIRST_RECORD = 4 + len(SITES)


def report(*records: tuple[int, ...], room: int = 8) -> np.ndarray:
    """A report of these records in order, of which some may not find room."""
    words = np.zeros(FIRST_RECORD + 10 * (room + len(SITES)), np.uint32)
    for site, *rest in records:
        words[4 + site] += 1
        place = site
        if words[4 + site] > 1:
            place = len(SITES) + int(words[0])
            words[0] += 1
        if place < room + len(SITES):
            words[FIRST_RECORD + 10 * place :][:10] = (site, *rest)
    return words.view(np.uint8)


def interface() -> ShaderInterface:
    return ShaderInterface(
        thread_group=(1, 1, 1), bindings=(), shared_memory_bytes=0, features=(), sites=SITES
    )


def violations(words: np.ndarray) -> Violations:
    return Violations(*parse_report(interface(), words))


def test_every_word_has_its_place() -> None:
    record = (0, 1, 11, 12, 13, 21, 22, 23, 31, 32)
    (found,) = violations(report(record))
    assert (found.group, found.thread) == ((11, 12, 13), (21, 22, 23))
    assert (found.index, found.byte_offset) == (31, 32)
    assert (found.instruction, found.line, found.register) == (7, 40, "t0")
    assert (found.kind, found.cause) == ("structured_buffer", "past the stride")
    assert (found.hlsl_file, found.hlsl_line) == ("a.hlsl", 3)


def test_coordinates_follow_the_byte_offset() -> None:
    """All records are as long as that with most coordinates."""
    texture = ReportSite(5, None, "t1", "texture", (True,) * 4, coordinates=("y", "slice", "mip"))
    sites = (SITES[0], texture)
    record = (1, 0, *range(6), 40, 0, 41, 42, 43)
    words = np.array([0] * 4 + [1, 1, 0, 0, *range(8), 9, 9, 9, *record], np.uint32)
    made = dataclasses.replace(interface(), sites=sites)
    buffer, texel = Violations(*parse_report(made, words.view(np.uint8)))
    assert (buffer.y, buffer.z, buffer.slice, buffer.mip, buffer.sample) == (None,) * 5
    assert (texel.index, texel.y, texel.slice, texel.mip) == (40, 41, 42, 43)
    assert (texel.z, texel.sample) == (None, None)
    assert "outside of texture t1: x 40, y 41, slice 42, mip 43; thread" in str(texel)


def test_each_cause_is_defined_by_itself() -> None:
    records = [(site, cause, *range(8)) for site in (0, 1) for cause in range(4)]
    found = violations(report(*records))
    reported = {(v.register, v.cause): v.defined for v in found}
    assert reported == {
        (site.register, cause): site.defined[number]
        for site in SITES
        for number, cause in enumerate(CAUSES)
    }


def test_records_that_found_no_room_are_counted() -> None:
    found = violations(report(*[(0, 0, *range(8))] * 100, room=2))
    assert (len(found), found.total) == (3, 100)
    (group,) = found.by_instruction()
    assert (group.count, group.recorded, group.first.thread) == (100, 3, (3, 4, 5))


def test_the_record_of_a_site_without_violations_is_skipped() -> None:
    (found,) = violations(report((1, 0, *range(8))))
    assert found.register == "g0"
    assert list(violations(report())) == []


def test_a_negative_index_is_shown_as_such() -> None:
    past, unwritten = violations(report((0, 0, *[0] * 6, 2**32 - 1, 0), (1, 3, *[0] * 6, 5, 8)))
    assert "outside of structured buffer t0: index -1 (4294967295), byte offset 0x0" in str(past)
    assert "read of uninitialised group-shared memory g0: index 5," in str(unwritten)
    table = violations(report((0, 0, *[0] * 6, 2**32 - 1, 0))).table()
    assert "  -1 (4294967295)  " in table


def test_the_most_frequent_cause_comes_first() -> None:
    causes = (2, 1, 0, 1, 0, 0)
    records = [(0, cause, 0, 0, 0, thread, 0, 0, 0, 0) for thread, cause in enumerate(causes)]
    (group,) = violations(report(*records)).by_instruction()
    assert group.causes == (CAUSES[0], CAUSES[1], CAUSES[2])
