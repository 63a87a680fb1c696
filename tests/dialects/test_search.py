"""A short search with fixed seeds: changed listings keep their meaning, broken ones are refused."""

import random

import pytest

from checks.dialects.search import candidate, check, check_same

COUNT = 30


@pytest.mark.parametrize("seed", range(3))
def test_random_listings(seed: int) -> None:
    same = 0
    for number in range(COUNT):
        text, path = candidate(random.Random(f"{seed} {number}"))
        same += path is not None
        try:
            check(text, path)
        except Exception as error:
            raise AssertionError(f"seed {seed}, listing {number}: {error!r}") from error
    assert COUNT // 4 < same < 3 * COUNT // 4


def test_another_meaning_is_noticed() -> None:
    """One instruction is removed from a listing that should keep its meaning."""
    text, path = next(
        (text, path)
        for text, path in (candidate(random.Random(f"0 {number}")) for number in range(100))
        if path is not None and path.stem == "saxpy"
    )
    lines = [line for line in text.splitlines() if "mad r0.x" not in line]
    assert len(lines) == len(text.splitlines()) - 1
    with pytest.raises(AssertionError, match="the listing gives other words"):
        check_same("\n".join(lines), path)
