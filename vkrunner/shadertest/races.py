"""The failure of a dispatch with races, or with barriers that only some threads of a group reach.

Only the reference machine finds these. Its results may be right all the same; those of another
device may differ.
"""

from __future__ import annotations

from vkrunner import ReferenceResult, Result
from vkrunner.shadertest.cases import ShaderSection
from vkrunner.shadertest.cursor import Token
from vkrunner.shadertest.hlsl_places import hlsl_where
from vkrunner.shadertest.outcome import MISSING_BARRIER, Failure
from vkrunner.values.numbers import counted

ANY, NONE = RACES = ("any", "none")  # the words after `races`
_INTENDED = "if this is intended: `races any` in [test]"


def race_failures(result: Result, shader: ShaderSection, token: Token) -> list[Failure]:
    """A failure if the reference machine found races or divergent barriers; else none."""
    if not isinstance(result, ReferenceResult) or not (result.races or result.divergent_barriers):
        return []
    # The message has the number in the first line; the last one is the advice.
    _, *table, advice = result.race_summary().splitlines()
    details = [advice, *table, _INTENDED]
    places = [race.first for race in result.races]
    places += [barrier.arrived for barrier in result.divergent_barriers]
    failure = Failure.at(token, _message(result), details)
    return [failure.explaining(hlsl_where(shader, places[0]), MISSING_BARRIER)]


def _message(result: ReferenceResult) -> str:
    """The number of races and their memory; without races, that of the divergent barriers."""
    found = result.findings
    if result.races:
        registers = ", ".join(dict.fromkeys(race.register for race in result.races))
        race = counted(found.race_count, "race")
        return f"{race} on {registers} with no barrier between"
    barrier = counted(found.divergent_barrier_count, "divergent barrier")
    return f"{barrier}: only some threads of a group reach it"
