"""`pytest tests/golden --update` rewrites the expected texts, for review."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update", action="store_true", help="rewrite the golden files")


@pytest.fixture
def update(request: pytest.FixtureRequest) -> bool:
    """Whether to rewrite; the option is unknown where other folders are tested as well."""
    return bool(request.config.getoption("--update", default=False))
