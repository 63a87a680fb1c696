"""A griffe extension: the pages show dataclasses of `translate.dataclass` as type checkers do."""

from __future__ import annotations

from typing import Any

from griffe import Alias, Extension


class Dataclasses(Extension):
    """Shows the signatures of dataclasses, whose decorator is the standard library's to griffe."""

    def on_alias_instance(self, *, alias: Alias, **_: Any) -> None:
        if alias.target_path.startswith("translate.dataclass."):
            alias.target_path = alias.target_path.replace("translate.dataclass", "dataclasses")
