"""Tests that need packages, compilers or headers beyond those of the extra `test`.

They are left out where these are missing. With `--extras`, as in CI, that is a failure. A command
line that names a file of theirs runs it in any case.
"""

import functools
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import pytest

_TESTS = Path(__file__).parent

# An extra of pyproject.toml -> modules of its packages
MODULES = {
    "codecs": ("imagecodecs",),
    "dask": ("distributed",),
    "docs": ("griffe", "mkdocs", "mkdocstrings"),
    "examples": ("PIL", "matplotlib"),
    "lint": ("pyright",),
    "notebook": ("ipykernel", "nbclient", "nbformat"),
    "proofs": ("z3",),
    "release": ("check_jsonschema", "setuptools", "yaml"),
}

# A folder, a file, or in it a function or one test -> the extra that it needs
NEEDS = {
    "ci/test_backend.py": "release",
    "ci/test_workflows.py": "release",
    "docs/test_adding.py::test_page[docs/adding-a-pass.md]": "proofs",
    "docs/test_adding.py::test_page[docs/adding-an-operation.md]": "proofs",
    "docs/test_adding.py::test_style": "lint",
    "docs/test_docstrings.py": "docs",
    "docs/test_pages.py::test_page[docs/large-arrays.md]": "dask",
    "docs/test_pages.py::test_page[shaders/examples/README.md]": "examples",
    "docs/test_site.py": "docs",
    "examples/test_block_compression.py": "codecs",
    "examples/test_large_picture.py::test_a_lost_worker": "dask",
    "examples/test_large_picture.py::test_blocks": "dask",
    "examples/test_notebook.py": "notebook",
    "examples/test_scripts.py": "examples",
    "formats/test_compressed.py": "codecs",
    "proofs": "proofs",
    "typing": "lint",
    "unit/bulk/test_cluster.py": "dask",
    "unit/reference/test_blocks.py": "codecs",
}


def missing_modules(extra: str) -> list[str]:
    """The modules of an extra that cannot be imported."""
    return [module for module in MODULES[extra] if find_spec(module) is None]


@functools.cache
def left_out() -> dict[str, str]:
    """The tests of `NEEDS` that cannot run here, each with its extra."""
    absent = {extra for extra in MODULES if missing_modules(extra)}
    return {path: extra for path, extra in NEEDS.items() if extra in absent}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--extras",
        action="store_true",
        help="fail if a package, compiler or header is missing that some tests need",
    )


def pytest_sessionstart(session: pytest.Session) -> None:
    if session.config.getoption("extras"):
        lacking = [
            f"{extra} ({', '.join(missing_modules(extra))})" for extra in left_out().values()
        ]
        if lacking:
            extras = ", ".join(sorted(set(lacking)))
            raise pytest.UsageError(f"packages of these extras are missing: {extras}")


def pytest_report_header() -> list[str]:
    extras = sorted(set(left_out().values()))
    names = ", ".join(extras)
    return [f"left out: tests that need the extras {names} (--extras)"] if extras else []


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Leave out whole files and folders before they are imported."""
    if not collection_path.is_relative_to(_TESTS):
        return None
    return True if str(collection_path.relative_to(_TESTS)) in left_out() else None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    absent = left_out()
    for item in items:
        test = item.nodeid.removeprefix("tests/")
        extra = absent.get(test) or absent.get(test.partition("[")[0])
        if extra is not None:
            item.add_marker(pytest.mark.skip(reason=f"the extra {extra} is not installed"))


@pytest.fixture(scope="session")
def require(pytestconfig: pytest.Config) -> Callable[[str], None]:
    """A function that skips the test if its argument names something that is missing.

    With `--extras` the test fails.
    """

    def check(lacking: str) -> None:
        if lacking and pytestconfig.getoption("extras"):
            pytest.fail(lacking)
        if lacking:
            pytest.skip(lacking)

    return check
