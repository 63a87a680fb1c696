"""The call graph of subroutines, which must be defined, without recursion and not too deep.

Source: FS §22.7, §7.19.
"""

from __future__ import annotations

from translate.errors import ProgramError
from translate.program import Statement

MAX_DEPTH = 32  # D3D skips deeper calls


class CallGraph:
    """The calls of each caller; `caller` is the body that is being lowered, "" for the entry."""

    def __init__(self) -> None:
        self.caller = ""
        self.calls: dict[str, list[tuple[str, Statement]]] = {}

    def add(self, name: str, statement: Statement) -> None:
        self.calls.setdefault(self.caller, []).append((name, statement))

    def reached(self) -> set[str]:
        """All subroutines that the entry calls, directly or through others."""
        found: set[str] = set()
        work = [""]
        while work:
            new = {name for name, _ in self.calls.get(work.pop(), ())} - found
            found |= new
            work += new
        return found

    def check(self, functions: frozenset[str]) -> None:
        """Raise TranslateError for a missing body, a recursion, or calls nested too deep.

        D3D skips calls nested deeper than 32 levels. No compiler relies on that; they are refused.
        """
        depths: dict[str, int] = {}
        for caller in self.calls:
            self._depth(caller, functions, depths, [])

    def _depth(
        self, caller: str, functions: frozenset[str], depths: dict[str, int], path: list[str]
    ) -> int:
        """The number of calls nested below a body. Raises TranslateError as `check` does."""
        if caller in depths:
            return depths[caller]
        deepest = 0
        for name, statement in self.calls.get(caller, ()):
            if name not in functions:
                raise ProgramError(f"there is no label {name}", statement.where)
            if name in path or name == caller:
                raise ProgramError(f"{name} calls itself", statement.where)
            below = MAX_DEPTH + 1
            if len(path) <= MAX_DEPTH:
                below = 1 + self._depth(name, functions, depths, [*path, caller])
            if below > MAX_DEPTH:
                message = f"calls nest deeper than {MAX_DEPTH} levels"
                raise ProgramError(message, statement.where)
            deepest = max(deepest, below)
        depths[caller] = deepest
        return deepest
