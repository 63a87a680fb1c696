"""Rules and policies are complete; tests/passes has the guards that follow them."""

from __future__ import annotations

from translate.ir.memory import MemoryKind
from translate.options import GUARDS
from translate.passes.guards.policy import POLICIES
from translate.passes.guards.rules import RULES


def test_every_kind_of_memory_has_a_rule() -> None:
    assert set(RULES) == set(MemoryKind) - {MemoryKind.SAMPLER}


def test_every_guard_mode_has_a_policy() -> None:
    assert set(POLICIES) == set(GUARDS)
    for policy in POLICIES.values():
        assert set(policy.reads) == set(policy.writes) == set(RULES)
