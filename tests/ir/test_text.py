"""The IR's text has everything of a module: parsing it gives an equal module."""

import pytest

from translate.ir.parser import parse_module
from translate.ir.printer import print_module

from .corpus import CORPUS, EVERY, Case, parameters, stages
from .state import contents_of, state_of

# Each kind of guards makes other operations.
CASES = [case for case in EVERY if case[1] in ("d3d", "report")]


@pytest.mark.parametrize("case", parameters(CASES))
def test_every_module_reads_back(case: Case) -> None:
    """Checked after every pass that changes the module; outside of the corpus after two passes."""
    read_state: object = None
    for one, module in stages(case):
        if case[0] not in CORPUS and one.name not in ("guard_bounds", "choose_in_bits"):
            continue
        state = state_of(module)
        if state == read_state:
            continue
        read_state = state
        text = print_module(module, locations=True)
        read = parse_module(text)
        pairs = zip(contents_of(module), contents_of(read), strict=True)
        assert [pair for pair in pairs if pair[0] != pair[1]] == [], one.name
        assert print_module(read, locations=True) == text, one.name
