"""A sampler as `sm5vk run` takes it: `linear,clamp`, `point,border,less,border=0:0:0:1`."""

from __future__ import annotations

from typing import Any

from vkrunner.errors import ArgumentError
from vkrunner.values.numbers import read_number
from vkrunner.values.samplers import SETTINGS, SamplerState, sampler_state


def parse_sampler(text: str, label: str) -> SamplerState:
    """Words in any order; a filter or address may be three, with `:` between them.

    Raises ArgumentError for a word that is none of a sampler's.
    """
    given: dict[str, Any] = {}
    for word in text.split(","):
        name, found = _setting(word, label)
        if name in given:
            raise ArgumentError(f"{label}: {name} is given twice")
        given[name] = found if len(found) > 1 else found[0]
    return sampler_state(**given)


def _setting(word: str, label: str) -> tuple[str, list[Any]]:
    given, equals, value = word.partition("=")
    for name, (allowed, most) in SETTINGS.items():
        if allowed is None and equals and given == name:
            return name, [read_number(part, label) for part in value.split(":")]
        parts = word.split(":") if most > 1 else [word]
        if allowed is not None and all(part in allowed for part in parts):
            return name, parts
    rows = SETTINGS.items()
    names = [word for _, (allowed, _) in rows for word in allowed or ()]
    there = ", ".join([*names, *(f"{name}=" for name, (allowed, _) in rows if allowed is None)])
    raise ArgumentError(f"{label}: {word!r} is not of a sampler; there are {there}")
