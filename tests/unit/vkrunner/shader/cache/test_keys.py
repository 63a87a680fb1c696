"""Keys differ where what they are made of differs."""

from __future__ import annotations

from vkrunner.shader.cache.keys import digest


def test_the_boundaries_of_parts_count() -> None:
    same = ((b"ab", b"c"), (b"a", b"bc"), (b"abc",), (b"abc", b""), (b"", b"abc"))
    keys = [digest(*parts) for parts in same]
    assert len({*keys}) == len(same)
    assert {len(key) for key in keys} == {64}
