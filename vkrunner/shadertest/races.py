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
_BARRIER = "GroupMemoryBarrierWithGroupSync()"
_INTENDED = "if this is intended: `races any` in [test]"


def race_failures(result: Result, shader: ShaderSection, token: Token) -> list[Failure]:
    """A failure if the reference machine found races or divergent barriers; else none."""
    if not isinstance(result, ReferenceResult) or not (result.races or result.divergent_barriers):
        return []
    _, *details = result.race_summary().splitlines()  # the message has the first line's number
    remedy = (
        f"put a {_BARRIER} between the two, where every thread of the group reaches it;"
        " or, if several threads change one element, use an atomic operation"
    )
    if result.races and all(
        race.first.instruction == race.second.instruction for race in result.races
    ):
        remedy = "let one thread store, or use an atomic operation: no barrier orders these stores"
    elif not result.races:
        remedy = "move the barrier out of the branch or loop, so that all threads reach it"
    details = [remedy, *details, _INTENDED]
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
