"""The pytest plugin: devices, required features, shader tests, the validation layer's messages.

The package registers it, so it must cost nothing in a test run that does not use it: modules that
run shaders are imported when a test needs them. docs/pytest.md describes its use.
"""

from __future__ import annotations

import os
import re
import sys
import warnings
from collections.abc import Generator, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import pytest

if TYPE_CHECKING:
    from vkrunner import Device
    from vkrunner.shadertest.cases import Case
    from vkrunner.shadertest.outcome import Outcome

SUFFIX = ".shader_test"
BEST = ""  # the best available device

_FEATURES = "vulkan_features"
_MARKER = (
    f"{_FEATURES}(*names): skip the test on a device that lacks one of these features of"
    " vkrunner.DeviceFeatures"
)


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("vulkan", "shaders on Vulkan devices (sm5vk)")
    group.addoption(
        "--vulkan-device",
        dest="vulkan_devices",
        metavar="D",
        action="append",
        default=[],
        help="part of a device's name, its index, or reference (repeatable); without it tests fail",
    )
    group.addoption(
        "--vulkan-require-device",
        action="store_true",
        help="without a device fail tests instead of skipping them; default if CI is set, or if"
        " --vulkan-device or SM5VK_DEVICE names a device",
    )
    group.addoption(
        "--vulkan-validation",
        action="store_true",
        help="turn the validation layer on; its messages fail the test that caused them",
    )
    group.addoption(
        "--vulkan-allow-path",
        dest="vulkan_allow_paths",
        metavar="FOLDER",
        action="append",
        default=[],
        help="let shader tests use files below this folder, not only below their own (repeatable)",
    )
    parser.addini(
        "vulkan_devices", "like --vulkan-device, one per line", type="linelist", default=[]
    )
    parser.addini("vulkan_allow_paths", "like --vulkan-allow-path", type="paths", default=[])


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", _MARKER)
    config.stash[_DEVICES] = {}
    config.stash[_REASONS] = set()
    config.stash[_OUTCOMES] = []


def device_names(config: pytest.Config) -> list[str]:
    """The devices to test: from options, SM5VK_DEVICE, the configuration, or else the best one."""
    options: list[str] = config.getoption("vulkan_devices") or []
    variable = os.environ.get("SM5VK_DEVICE")
    chosen = options or ([variable] if variable else config.getini("vulkan_devices")) or [BEST]
    return list(dict.fromkeys(chosen))


def allowed_paths(config: pytest.Config) -> list[Path]:
    """The folders that shader tests may use, from options and the configuration."""
    here = config.invocation_params.dir
    options: list[str] = config.getoption("vulkan_allow_paths") or []
    configured: list[Path] = config.getini("vulkan_allow_paths")
    return [*(here / option for option in options), *configured]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    names = device_names(metafunc.config)
    if "vulkan_device" in metafunc.fixturenames and len(names) > 1:
        metafunc.parametrize("vulkan_device", names, indirect=True, scope="session")


@pytest.fixture(scope="session")
def vulkan_device(request: pytest.FixtureRequest) -> Device:
    """An open device for the whole session; with several devices, tests run once on each."""
    name: str = getattr(request, "param", None) or device_names(request.config)[0]
    return _device(request.session, name)


@pytest.fixture(autouse=True)
def _vulkan_features(request: pytest.FixtureRequest) -> None:  # pyright: ignore[reportUnusedFunction]
    """Skip a test if the device lacks a feature named in the test's markers."""
    node: pytest.Item = request.node
    marks = list(node.iter_markers(_FEATURES))
    if not marks:
        return
    device: Device = request.getfixturevalue("vulkan_device")
    names = [name for mark in marks for name in mark.args]
    for name in names:
        if not hasattr(device.features, name):
            there = ", ".join(type(device.features).__dataclass_fields__)
            pytest.fail(f"no feature {name!r}; the features are {there}", pytrace=False)
    lacking = [name for name in names if not getattr(device.features, name)]
    if lacking:
        pytest.skip(f"{device.name} lacks {', '.join(lacking)}")


# -- devices ---------------------------------------------------------------------------------------

_DEVICES = pytest.StashKey[dict[str, "Device"]]()
_REASONS = pytest.StashKey[set[str]]()  # why devices were missing, as far as tests have failed


def _device(session: pytest.Session, name: str) -> Device:
    """The session's open device that `name` means; it is closed after the session's last test.

    If it cannot be opened, the test is skipped, or fails if a device is required or was named.
    """
    devices = session.config.stash[_DEVICES]
    if name not in devices:
        devices[name] = _open(session.config, name)
        session.addfinalizer(lambda: _close(session, name))
    return devices[name]


def _close(session: pytest.Session, name: str) -> None:
    """Close a device of the session, if it is open; the next test that needs it opens it again."""
    device = session.config.stash[_DEVICES].pop(name, None)
    if device is not None:
        device.close()


def _open(config: pytest.Config, name: str) -> Device:
    from vkrunner import NoDeviceError, open_device

    validation = True if config.getoption("vulkan_validation") else None
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", RuntimeWarning)
        device, reason = None, ""
        try:
            device = open_device(name or None, validation=validation)
        except NoDeviceError as error:
            reason = str(error)
    if device is None:
        _without_device(config, reason)
    if name == BEST and device.info.type == "reference":  # without a Vulkan device
        from vkrunner.api.opening import FALLING_BACK

        device.close()
        reason = str(caught[-1].message).removeprefix(FALLING_BACK).strip()
        without = "no Vulkan device (--vulkan-device reference needs none)"
        _without_device(config, f"{without}: {reason}")
    for warning in caught:  # such as a missing validation layer
        warnings.warn(warning.message, stacklevel=2)
    return device


def _without_device(config: pytest.Config, reason: str) -> NoReturn:
    from vkrunner.api.opening import is_in_ci

    is_named = config.getoption("vulkan_devices") or os.environ.get("SM5VK_DEVICE")
    if is_in_ci() or is_named or config.getoption("vulkan_require_device"):
        seen = config.stash[_REASONS]
        first, *_ = re.split("[;:]", reason)
        shown = f"{first}; the first test without it has more" if reason in seen else reason
        seen.add(reason)
        pytest.fail(f"a device is required: {shown}", pytrace=False)
    pytest.skip(reason)


# -- messages of the validation layer --------------------------------------------------------------


def _messages() -> list[str]:
    """Take the validation messages since the last call."""
    instance = sys.modules.get("vkrunner.vulkan.loader.instance")
    if instance is None:  # no test has used Vulkan
        return []
    from translate.errors import escaped

    found = [escaped(text, keep="\n\t") for text in instance.validation_messages()]
    instance.clear_validation_messages()
    return found


def _watched(item: pytest.Item, when: str) -> Generator[None, Any, Any]:
    """Run a phase of a test, and fail it if the validation layer reported a message."""
    try:
        result = yield
    except BaseException:
        found = _messages()
        if found:
            item.add_report_section(when, "Vulkan validation", "\n".join(found))
        raise
    found = _messages()
    if found:
        pytest.fail("Vulkan validation messages:\n" + "\n".join(found), pytrace=False)
    return result


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None, Any, Any]:
    return (yield from _watched(item, "setup"))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, Any]:
    return (yield from _watched(item, "call"))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item) -> Generator[None, Any, Any]:
    return (yield from _watched(item, "teardown"))


# -- shader tests ----------------------------------------------------------------------------------

_OUTCOMES = pytest.StashKey[list["Outcome"]]()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the annotations of shader tests in a GitHub workflow, as `sm5vk test` does."""
    outcomes = terminalreporter.config.stash[_OUTCOMES]
    if outcomes and os.environ.get("GITHUB_ACTIONS") == "true":
        from vkrunner.shadertest.outcome import github_lines

        terminalreporter.ensure_newline()
        for line in github_lines(outcomes):
            terminalreporter.write_line(line)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    if file_path.suffix != SUFFIX:
        return None
    from translate.errors import escaped

    path = os.path.relpath(file_path, parent.config.rootpath)
    shown = escaped(path)  # pytest prints a node's name and id as they are
    plain: dict[str, Any] = {}
    if shown != path:
        plain = {"name": escaped(file_path.name), "nodeid": shown}
    return ShaderTestFile.from_parent(  # pyright: ignore[reportUnknownMemberType]
        parent, path=file_path, **plain
    )


class ShaderTestFile(pytest.File):
    """A `.shader_test` file: one item for each test and device."""

    def collect(self) -> Iterable[pytest.Item]:
        from vkrunner.shadertest.cursor import ShaderTestError, start_of
        from vkrunner.shadertest.file_reader import read_file
        from vkrunner.shadertest.outcome import failure_of

        shown = os.path.relpath(self.path, self.config.invocation_params.dir)
        try:
            test = read_file(self.path, shown, allowed_paths(self.config))
        except (ShaderTestError, OSError) as error:
            raise self.CollectError(failure_of(error, start_of(shown)).text()) from None
        return list(self._items(test.cases))

    def _items(self, cases: Iterable[Case]) -> Iterator[pytest.Item]:
        from translate.errors import escaped

        names = device_names(self.config)
        for case in cases:
            name = escaped(case.name)
            for device in names:
                label = f"{name}[{device}]" if len(names) > 1 else name
                yield ShaderTestItem.from_parent(  # pyright: ignore[reportUnknownMemberType]
                    self, name=label, case=case, device=device
                )


class ShaderTestFailure(Exception):
    """A shader test failed; the message has all failures."""


class _Line(str):
    """A line with pytest's name for it."""

    __slots__ = ()

    @property
    def message(self) -> str:
        return self


class _FailureText:
    """The text of a failure, of which pytest's summary and JUnit's XML have the first line."""

    def __init__(self, text: str):
        self._text = text
        self.reprcrash = _Line(text.partition("\n")[0])

    def __str__(self) -> str:
        return self._text

    def toterminal(self, out: Any) -> None:
        out.line(self._text)


class ShaderTestItem(pytest.Item):
    """One `[test]` on one device."""

    def __init__(self, *, case: Case, device: str, **more: Any):
        super().__init__(**more)  # pyright: ignore[reportUnknownMemberType]
        self.case = case
        self.device = device

    def setup(self) -> None:
        _device(self.session, self.device)

    def runtest(self) -> None:
        from translate.errors import message_text
        from vkrunner.shadertest.execute import run_case
        from vkrunner.shadertest.outcome import DEVICE, SKIPPED
        from vkrunner.values.numbers import counted

        outcome = run_case(_device(self.session, self.device), self.case)
        self.config.stash[_OUTCOMES].append(outcome)
        line, path = self.case.token.line, str(self.path)  # a warning prints both as they are
        is_plain = message_text(line.text) == line.text and message_text(path) == path
        place = message_text(path), line.number if is_plain else 0
        texts = [*outcome.warnings]
        if outcome.unchecked:
            texts.append(f"{counted(outcome.unchecked, 'violation')}: add `violations none`")
        for text in texts:
            warnings.warn_explicit(message_text(text), RuntimeWarning, *place)
        if outcome.status == SKIPPED:
            pytest.skip(message_text(outcome.reason))
        if outcome.code == DEVICE:  # the device may be unusable: the next test opens it again
            _close(self.session, self.device)
        if outcome.chief is not None:
            first, last = message_text(outcome.chief.message), message_text(f"on {outcome.device}")
            raise ShaderTestFailure("\n".join([first, *outcome.details(), last]))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        if isinstance(excinfo.value, ShaderTestFailure):
            return _FailureText(str(excinfo.value))
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        from translate.errors import escaped

        path = Path(escaped(str(self.path)))
        return path, self.case.token.line.number - 1, f"{path.name}: {self.name}"
