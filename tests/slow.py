"""Tests marked slow: left out unless `--slow` is given or the command line names their file."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="run the tests marked slow too")


def pytest_report_header(config: pytest.Config) -> str | None:
    """Report it here: pytest-xdist does not print how many tests were deselected."""
    return None if config.getoption("slow") else "tests marked slow are left out: --slow runs them"


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("slow"):
        return
    folder = config.invocation_params.dir
    named = {(folder / argument.partition("::")[0]).resolve() for argument in config.args}
    left_out = [i for i in items if i.get_closest_marker("slow") and i.path not in named]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in set(left_out)]
