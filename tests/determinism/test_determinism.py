"""Equal bytes from processes with other hash seeds and addresses: a part of the command."""

from pathlib import Path

import pytest

from checks.determinism.__main__ import ROOT, differences, random_programs, shaders_below

REGRESSIONS = Path(__file__).parent / "regressions"


@pytest.mark.slow(reason="several processes translate every shader")
def test_every_process_gives_the_same_bytes(tmp_path: Path) -> None:
    corpus = sorted((ROOT / "tests" / "corpus" / "cs_5_0").glob("*.dxbc"))
    found = shaders_below(REGRESSIONS)
    stepped = shaders_below(ROOT / "tests" / "debug")
    assert len(corpus) > 10
    assert found
    assert stepped
    every = [*corpus, *found, *stepped, *random_programs(tmp_path, 0, 5)]
    assert not differences(every, processes=3)
