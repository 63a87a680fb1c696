"""Result: the UAVs after a dispatch, by register and by HLSL name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, cast

import numpy as np

from translate.dataclass import dataclass
from translate.errors import did_you_mean
from translate.interface import (
    COUNTER,
    Binding,
    ShaderInterface,
    line_of,
)
from vkrunner.binding.arguments import (
    Argument,
    Filled,
    ImagePart,
    Place,
    ResidentArgument,
)
from vkrunner.binding.registers import (
    COUNTER_SUFFIX,
    Key,
    elements_of,
    look_up,
    two_meanings,
    written,
)
from vkrunner.report.messages import MessageLog, Messages
from vkrunner.report.page import ReportedDispatch
from vkrunner.report.records import Report
from vkrunner.report.result_display import (
    NOTHING,
    Resident,
    Value,
    contents,
    described,
    result_html,
)
from vkrunner.report.summary import barriers_of, finding_counts, race_lines, races_of
from vkrunner.report.violations import Violations
from vkrunner.resources.buffers import Buffer, BufferView
from vkrunner.values.formats import Format
from vkrunner.values.numbers import Array, counted

Span = tuple[int, int]  # start and duration in nanoseconds, by the device's clock
_MOST_SHOWN = 8  # registers in a line
_FOUND_BY_THE_MACHINE = ("races", "divergent_barriers", "findings", "race_summary")
_NO_RACES = "only the reference machine finds races: open_device('reference')"

if TYPE_CHECKING:
    from translate import Program, reference

Findings: TypeAlias = "reference.Findings"


class DeviceTime(Protocol):
    """A time by the device's clock, fetched from the device when it is read.

    Reading it raises the errors of `Result.duration_ns`.
    """

    @property
    def duration_ns(self) -> int: ...
    @property
    def span(self) -> Span: ...


Duration = int | DeviceTime | None  # in nanoseconds; None if unknown


class Counters(Mapping[str, int]):
    """The hidden counters after a dispatch, by the UAV's register or HLSL name.

    If a buffer stays on the device, its counter is read when it is asked for.
    """

    def __init__(self, interface: ShaderInterface, values: Mapping[str, int | Resident]):
        self._interface = interface
        self._values = values

    def __getitem__(self, key: Key) -> int:
        found = self._values.get(_counter_name(self._interface, key))
        if found is None:
            there = ", ".join(self._values) or "none"
            raise KeyError(f"no counter {key!r}; there are {there}")
        if isinstance(found, int):
            return found
        owner = found.buffer if isinstance(found, BufferView) else found
        assert isinstance(owner, Buffer), "textures have no counters"
        count = owner.counter
        assert count is not None, "a buffer without a counter is not bound to one"
        return count

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        shown = (
            f"{name}: {count if isinstance(count, int) else described(count)}"
            for name, count in self._values.items()
        )
        return line_of(self, ", ".join(shown) or "none")


class Result:
    """The UAVs after a dispatch: `result.u0`, `result["u0"]`, or by HLSL name.

    Iterating gives the registers, and `dict(result)` their values. If a UAV has the name of an
    attribute (`counters`, `duration_ns`), use brackets. A Result is not a Mapping, so a UAV called
    `values` is `result.values`, and one called `keys` is `result.keys`.

    For an array that was passed, the result is a new array of its dtype and shape. A buffer or
    texture that stays on the device is read when you ask for it. An array of resources is a list,
    with None for a null or unused resource. Each of its registers is a key too: `result["u5"]`, or
    `result["u", 0, 5]` with class, space and number.

    Attributes
    ----------
    counters : mapping of str to int
        The hidden counters by the UAV's register or HLSL name.
    """

    def __init__(
        self,
        interface: ShaderInterface,
        values: Mapping[str, Value | list[Value]],
        counters: Counters,
        duration: Duration,
        log: MessageLog | None = None,
        formats: Mapping[str, Format] | None = None,
        known: dict[Key, str] | None = None,
    ):
        self._interface = interface
        self._values = values
        self._formats = formats or {}
        self._known = {} if known is None else known  # registers by key, as far as asked for
        self.counters = counters
        self._duration = duration
        self._log = log

    @property
    def duration_ns(self) -> int | None:
        """The time of the dispatch in nanoseconds; None if it was not measured.

        The device measures it, unless `open_device` decided otherwise: by default, on a driver on
        the CPU, the host measures the time from the submission until it sees the end. The device's
        time is fetched when it is asked for. Raises ArgumentError after a fork, DeviceLostError if
        the device was lost, and DispatchTimeout while the device is busy with work that was given
        up.
        """
        duration = self._duration  # another thread may replace it
        if duration is not None and not isinstance(duration, int):
            duration = self._duration = duration.duration_ns
        return duration

    @cached_property
    def messages(self) -> Messages:
        """The shader's `printf` and `errorf` messages, by thread; `total` counts all."""
        return self._log.messages() if self._log is not None else Messages()

    @cached_property
    def violations(self) -> Violations:
        """The violations of the dispatch; empty unless the kernel has `guards="report"`."""
        return Violations()

    def __getitem__(self, key: Key) -> Any:
        register = self._known.get(key)
        if register is not None:
            found = self._values[register]
        elif key in self._values and (doubt := two_meanings(self._interface, key)):
            raise KeyError(doubt)
        else:
            found = self._value_of(key)
        if isinstance(found, np.ndarray):
            return found
        return [contents(value) for value in found] if isinstance(found, list) else contents(found)

    def _value_of(self, key: Key) -> Value | list[Value]:
        """The value for an HLSL name, or for a register of a range. Raises KeyError for others."""
        values, (binding, element) = self._values, look_up(self._interface, key) or (None, None)
        if binding is not None and binding.register in values:
            found = values[binding.register]
            if element is None or not isinstance(found, list):
                self._known[key] = binding.register
                return found
            if element < len(found):
                return found[element]
        elements = elements_of(self._interface, key) if binding is None else {}
        if not values.keys().isdisjoint(elements.values()):
            registers = map(elements.get, range(max(elements) + 1))
            return [cast("Value", values.get(register or "")) for register in registers]
        there = ", ".join(self._interface[one].label for one in self._values) or "none"
        near = did_you_mean(str(key), self._ipython_key_completions_())
        is_input = binding is not None and not binding.written
        what = f"{key!r} is an input, not a result" if is_input else f"no result {key!r}"
        raise KeyError(f"{what}; there are {there}{near}")

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):  # not of a result that is being copied or unpickled
            raise AttributeError(name)
        try:
            return self[name]
        except KeyError as error:
            about = _NO_RACES if name in _FOUND_BY_THE_MACHINE else error.args[0]
            raise AttributeError(about) from None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_duration": self.duration_ns}

    def _keys(self) -> list[str]:
        """The registers, each as text that means nothing else."""
        return [written(self._interface, register) for register in self._values]

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys())

    def __len__(self) -> int:
        return len(self._values)

    def __contains__(self, key: object) -> bool:
        try:
            self._value_of(cast("Key", key))
        except (KeyError, TypeError, ValueError):  # also of other types
            return False
        return True

    @property
    def keys(self) -> Any:
        """The UAV called `keys`; otherwise a function that returns the registers, for `dict`."""
        try:
            return self["keys"]
        except KeyError:
            return self._keys

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._ipython_key_completions_()]

    def _ipython_key_completions_(self) -> list[str]:
        """The completions of `result["` in notebooks."""
        names = [self._interface[register].name for register in self._values]
        return [*self, *(n for n in names if n and not two_meanings(self._interface, n))]

    def __repr__(self) -> str:
        parts = [
            f"{self._interface[register].label}: {described(value)}"
            for register, value in self._values.items()
        ]
        more = f"and {len(parts) - _MOST_SHOWN} more" if len(parts) > _MOST_SHOWN else None
        counts = [counted(count, noun) for count, noun in self._counts() if count]
        return line_of(self, *(parts[:_MOST_SHOWN] or [NOTHING]), more, *counts)

    def _counts(self) -> list[tuple[int, str]]:
        """The numbers of violations and messages, each with a noun."""
        sent = self._log.total if self._log is not None else 0
        return [(self.violations.total, "violation"), (sent, "message")]

    def _repr_html_(self) -> str:
        findings = vars(self).get("findings")
        return result_html(self, self.violations.total, self.messages, findings)


class ReferenceResult(Result):
    """A Result with the reference machine's findings, with every `guards`. It has no duration.

    Attributes
    ----------
    findings : translate.reference.Findings
        All findings, with counts of those for which the lists had no room.
    races : tuple of translate.reference.Race
        Pairs of threads of a group that accessed the same element of group-shared memory or a UAV
        without a barrier between them. It prints as a table by lines of the HLSL, or by
        instructions without debug information; `total` also counts pairs without a record.
    divergent_barriers : tuple of translate.reference.DivergentBarrier
        Barriers that only some threads of a group reached. It prints as a table by instructions.
    """

    def __init__(
        self,
        interface: ShaderInterface,
        values: Mapping[str, Value | list[Value]],
        counters: Counters,
        findings: Findings,
        log: MessageLog | None = None,
        formats: Mapping[str, Format] | None = None,
        known: dict[Key, str] | None = None,
        program: Program | None = None,
    ):
        super().__init__(interface, values, counters, None, log, formats, known)
        self.findings = findings
        self._program = program
        self.races = races_of(findings)
        self.divergent_barriers = barriers_of(findings)

    def _counts(self) -> list[tuple[int, str]]:
        return [*super()._counts(), *finding_counts(self.findings)]

    def race_summary(self) -> str:
        """The races and divergent barriers as text, with advice.

        Returns
        -------
        str
            A table of the races and one of the barriers, most frequent first, with the lines of the
            HLSL or listing below each row, then a line of advice. "" if the machine found none.
        """
        return "\n".join(race_lines(self.findings, self._program))

    def __getstate__(self) -> dict[str, Any]:
        return {**super().__getstate__(), "_program": None}


@dataclass(slots=True)
class Outcome:
    """The results of one dispatch in one submission.

    `arrays` has a new array for each passed array that the shader may write, by register and
    element. `findings` are the reference machine's, and `program` is the one that it ran.
    `messages` are the shader's, if it can send any.
    """

    arrays: Mapping[Place, Array]
    report: Report | None
    duration: Duration
    findings: Findings | None = None
    messages: MessageLog | None = None
    program: Program | None = None


class ResultLayout:
    """Which UAVs and counters are in a dispatch's result, by register and place.

    It keeps no argument alive.
    """

    def __init__(
        self,
        interface: ShaderInterface,
        arguments: Sequence[Argument],
        reported: ReportedDispatch | None = None,
    ):
        self.interface = interface
        self._reported = reported
        self._formats: dict[str, Format] = {}  # of two-dimensional textures
        self._known: dict[Key, str] = {}  # of all results
        self._uavs: list[tuple[str, Place, bool]] = []  # register, place, is a list
        self._counters: list[tuple[str, Place]] = []  # as `Result.counters` calls them
        for argument in arguments:
            shown, is_null = argument.shown, not isinstance(argument, Filled)
            binding = shown.binding
            is_range = binding.count != 1
            if binding.kind == COUNTER:
                if not is_null:
                    owner = binding.register.removesuffix(COUNTER_SUFFIX)
                    name = f"{owner}[{shown.element}]" if is_range else owner
                    self._counters.append((name, shown.place))
            elif is_result(binding) and (is_range or not is_null):
                self._uavs.append((binding.register, shown.place, is_range))
                if isinstance(shown, ImagePart) and shown.dimension.name == "2d" and not is_range:
                    self._formats[binding.register] = shown.format

    def result(self, outcome: Outcome, residents: Mapping[Place, Resident]) -> Result:
        """Make the result from a dispatch's outcome and the resources that stay on the device.

        Raises AbortError if a thread aborted, LoopLimitError if the driver ended a loop.
        """
        arrays = outcome.arrays
        values: dict[str, Value | list[Value]] = {}
        for register, place, is_range in self._uavs:
            value: Value = arrays[place] if place in arrays else residents.get(place)
            if is_range:
                cast("list[Value]", values.setdefault(register, [])).append(value)
            else:
                values[register] = value
        counters: dict[str, int | Resident] = {}
        for name, place in self._counters:
            counters[name] = int(arrays[place][0]) if place in arrays else residents[place]
        named = Counters(self.interface, counters)
        if outcome.findings is not None:
            made = ReferenceResult(
                *(self.interface, values, named, outcome.findings, outcome.messages),
                *(self._formats, self._known, outcome.program),
            )
        else:
            made = Result(
                *(self.interface, values, named, outcome.duration, outcome.messages),
                *(self._formats, self._known),
            )
        if outcome.report is not None:
            dispatch = self._reported and self._reported.with_findings(outcome.findings)
            made.violations = Violations(*outcome.report, dispatch)
        if outcome.messages is not None:
            outcome.messages.check(made)
        return made


def is_result(binding: Binding) -> bool:
    """Whether the binding is part of the result: a UAV or its counter."""
    return binding.kind == COUNTER or binding.register.startswith("u")


def residents_of(arguments: Sequence[Argument]) -> dict[Place, Resident]:
    """The UAVs and counters among the arguments that stay on the device, by place."""
    found: dict[Place, Resident] = {}
    for argument in arguments:
        given = argument.given if isinstance(argument, ResidentArgument) else None
        if given is not None and is_result(argument.shown.binding):
            found[argument.shown.place] = given
    return found


def _counter_name(interface: ShaderInterface, key: Key) -> str:
    """The key in `Counters` of a UAV's counter: `u1`, or `u1[2]` for a register of a range."""
    binding, element = look_up(interface, key) or (None, None)
    if binding is None:
        return str(key)
    in_range = element is not None and binding.count != 1
    return f"{binding.register}[{element}]" if in_range else binding.register
