"""The options for compiling HLSL."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Mapping, Sequence
from typing import TypedDict, get_args

from translate.choices import Profile
from translate.dataclass import dataclass, field
from translate.errors import OptionError

PROFILES: tuple[Profile, ...] = get_args(Profile)
DEFAULT_ENTRY = "main"
DEFAULT_TIMEOUT_S = 120.0

_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_OURS = {  # fxc's options that have fields here, or that write files (/F...)
    "T": "profile",
    "E": "entry",
    "D": "defines",
    "I": "include",
    "F": None,
    "P": None,
}
_LONGER = ("Pp", "enable", "Ges", "Gec")


@dataclass(frozen=True)
class HlslOptions:
    """How to compile HLSL.

    Attributes
    ----------
    entry : str or None
        The function to compile; None means `main`.
    profile : {"cs_5_0", "cs_5_1", "cs_4_0", "cs_4_1"}
        The shader model.
    defines : mapping of str to int, float, bool, str or None, or a sequence of str
        Macros: `{"N": 4, "FAST": None}`, or `["N=4", "FAST"]`. A macro without a value is 1.
    include : path, or a sequence of paths
        Folders that `#include` searches after the folder of the including file.
    fxc_flags : str, or a sequence of str
        Further options for the compiler, in fxc's form: `"-Od -Zi"`.
    compile_timeout : float
        The time limit for the compiler, in seconds.

    Raises
    ------
    TranslateError
        An option has an invalid value.
    """

    entry: str | None = None
    profile: Profile = "cs_5_0"
    defines: Mapping[str, object] | Sequence[str] = field(default_factory=dict[str, object])
    include: str | os.PathLike[str] | Sequence[str | os.PathLike[str]] = ()
    fxc_flags: str | Sequence[str] = ()
    compile_timeout: float = DEFAULT_TIMEOUT_S

    def __post_init__(self) -> None:
        if self.profile not in PROFILES:
            why = "only compute shaders are run"
            if self.profile.startswith("cs_6_"):
                why = "DXIL of Shader Model 6 is not read"
            raise OptionError(
                f"profile must be one of {', '.join(PROFILES)}, not {self.profile!r}: {why}"
            )
        if not _NAME.fullmatch(self.entry_name):
            raise OptionError(f"entry must be the name of a function, not {self.entry!r}")
        if not self.compile_timeout > 0:
            raise OptionError(f"compile_timeout must be more than 0, not {self.compile_timeout}")
        for name, _ in self.macros:
            if not _NAME.fullmatch(name):
                raise OptionError(f"defines must be names, with values or without, not {name!r}")
        for flag in self.flags:
            _check_flag(flag)
        for word in (*(value for _, value in self.macros), *self.flags, *self.folders):
            _check_word(word)

    @property
    def entry_name(self) -> str:
        """The function to compile."""
        return DEFAULT_ENTRY if self.entry is None else self.entry

    @property
    def macros(self) -> tuple[tuple[str, str], ...]:
        """Names and values of the macros, in order."""
        if isinstance(self.defines, Mapping):
            return tuple((str(name), _value(value)) for name, value in self.defines.items())
        given = (self.defines,) if isinstance(self.defines, str) else self.defines
        parts = (text.partition("=") for text in given)
        return tuple((name, value if equals else "1") for name, equals, value in parts)

    @property
    def folders(self) -> tuple[str, ...]:
        """The folders of `include`, as absolute paths."""
        given = self.include
        if isinstance(given, (str, os.PathLike)):
            given = (given,)
        return tuple(os.path.abspath(os.fspath(path)) for path in given)

    @property
    def flags(self) -> tuple[str, ...]:
        """The compiler's further options, as separate words."""
        if not isinstance(self.fxc_flags, str):
            return tuple(self.fxc_flags)
        try:
            return tuple(shlex.split(self.fxc_flags))
        except ValueError as error:
            raise OptionError(f"fxc_flags {self.fxc_flags!r}: {error}") from None


class HlslOptionsDict(TypedDict, total=False):
    """The fields of `HlslOptions` as optional keyword arguments."""

    entry: str | None
    profile: Profile
    defines: Mapping[str, object] | Sequence[str]
    include: str | os.PathLike[str] | Sequence[str | os.PathLike[str]]
    fxc_flags: str | Sequence[str]
    compile_timeout: float


def _value(value: object) -> str:
    """The text of a macro's value: 1 for None, and 1 or 0 for a bool."""
    if value is None:
        return "1"
    return str(int(value)) if isinstance(value, bool) else str(value)


def _check_word(word: str) -> None:
    """Reject text that no argument of a process can have."""
    try:
        is_argument = b"\0" not in os.fsencode(word)
    except UnicodeEncodeError:
        is_argument = False
    if not is_argument:
        raise OptionError(f"the compiler takes no NUL and no lone surrogate: {word!r}")


def _check_flag(flag: str) -> None:
    """Reject words that are not options, and options that have a field or write files."""
    if flag[:1] not in ("-", "/") or len(flag) < 2:
        raise OptionError(f"fxc_flags must be options such as -Od, not {flag!r}")
    letter = flag[1]
    if letter not in _OURS or flag[1:].startswith(_LONGER):
        return
    instead = _OURS[letter]
    reason = f"use {instead}" if instead else "only the container is written"
    raise OptionError(f"fxc_flags cannot have {flag!r}: {reason}")
