"""Rules and policies are complete; tests/passes has the guards that follow them."""

from translate.ir.memory import MemoryKind
from translate.options import GUARDS
from translate.passes.guards.rules import POLICIES, RULES

from ....complete import check_complete


def test_every_kind_of_memory_has_a_rule() -> None:
    kinds = set(MemoryKind) - {MemoryKind.SAMPLER}
    check_complete(RULES, kinds, "RULES of translate/passes/guards/rules.py")


def test_every_guard_mode_has_a_policy() -> None:
    check_complete(POLICIES, GUARDS, "POLICIES of translate/passes/guards/rules.py")
    for name, policy in POLICIES.items():
        for kinds in (policy.reads, policy.writes):
            check_complete(kinds, RULES, f"the policy {name} of translate/passes/guards/rules.py")
