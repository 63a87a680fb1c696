"""Samplers on the command line."""

from __future__ import annotations

import pytest

from vkrunner.cli.value_parser import parse_sampler
from vkrunner.errors import ArgumentError
from vkrunner.values.samplers import SamplerState


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("linear", SamplerState()),
        ("clamp,linear", SamplerState()),
        ("point,wrap", SamplerState(("point",) * 3, ("wrap",) * 3)),
        ("point:linear:point", SamplerState(("point", "linear", "point"))),
        ("wrap:mirror:border,border=0:0:0:1", SamplerState(
            addresses=("wrap", "mirror", "border"), border=(0.0, 0.0, 0.0, 1.0))),
        ("less_equal,min_lod=1,max_lod=2.5,lod_bias=-1", SamplerState(
            comparison="less_equal", min_lod=1.0, max_lod=2.5, lod_bias=-1.0)),
    ],
)  # fmt: skip
def test_words_in_any_order(text: str, state: SamplerState) -> None:
    assert parse_sampler(text, "s0") == state


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "s0: '' is no word of a sampler; there are point, linear, wrap"),
        ("linear,warp", "s0: 'warp' is no word of a sampler"),
        ("linear,point", "s0: filter is given twice"),
        ("linear:point", "filter is one name or three"),
        ("min_lod=low", "s0: 'low' is not a number"),
        ("min_lod=true", "min_lod is a number, not True"),
        ("border=1" + "0" * 400, "border is out of the range of floats"),
        ("border=0:1", "a border has one number or four"),
        ("colour=1", "s0: 'colour=1' is no word of a sampler"),
    ],
)
def test_invalid_samplers(text: str, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        parse_sampler(text, "s0")
