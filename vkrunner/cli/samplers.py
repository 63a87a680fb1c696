"""A sampler as `sm5vk run` takes it: `linear,clamp`, `point,border,less,border=0:0:0:1`."""

from __future__ import annotations

from typing import Any

from vkrunner.errors import ArgumentError
from vkrunner.resources.samplers import ADDRESSES, COMPARISONS, FILTERS, SamplerState, sampler_state

_NUMBERS = ("border", "min_lod", "max_lod", "lod_bias")


def parse_sampler(text: str, label: str) -> SamplerState:
    """Words in any order; a filter or address may be three, with `:` between them.

    Raises ArgumentError for a word that is none of a sampler's.
    """
    given: dict[str, Any] = {}
    for word in text.split(","):
        name, value = _setting(word, label)
        if name in given:
            raise ArgumentError(f"{label}: {name} is given twice")
        given[name] = value
    return sampler_state(
        given.pop("filter", "linear"),
        given.pop("address", "clamp"),
        given.pop("border", 1.0),
        **given,
    )


def _setting(word: str, label: str) -> tuple[str, Any]:
    name, equals, value = word.partition("=")
    if equals and name in _NUMBERS:
        numbers = [_number(part, label) for part in value.split(":")]
        return name, numbers if len(numbers) > 1 else numbers[0]
    parts = word.split(":")
    for name, allowed in (("filter", FILTERS), ("address", ADDRESSES)):
        if all(part in allowed for part in parts):
            return name, parts if len(parts) > 1 else parts[0]
    if word in COMPARISONS:
        return "comparison", word
    there = ", ".join([*FILTERS, *ADDRESSES, *COMPARISONS, *(f"{n}=" for n in _NUMBERS)])
    raise ArgumentError(f"{label}: {word!r} is not of a sampler; there are {there}")


def _number(text: str, label: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ArgumentError(f"{label}: {text!r} is not a number") from None
