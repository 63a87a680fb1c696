"""The validation layer's messages are reported, and its variables work as documented."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vkrunner
from checks.driver import Driver
from tests.commands import output
from vkrunner import Device
from vkrunner.vulkan.loader.instance import (
    FEATURES_EXTENSION,
    SETTINGS_EXTENSION,
    VALIDATION_LAYER,
    validation_layer,
    validation_wanted,
)

ROOT = Path(__file__).parents[4]


@pytest.mark.parametrize(
    ("argument", "variable", "wanted"),
    [
        (None, "", ""),
        (None, "0", ""),
        (None, "1", "1"),
        (None, "sync", "sync"),
        (False, "1", ""),
        (True, "", "1"),
        (True, "mistyped", "1"),
        ("sync", "0", "sync"),
        ("", "1", ""),
    ],
)
def test_values_that_turn_validation_on(
    monkeypatch: pytest.MonkeyPatch, argument: Any, variable: str, wanted: str
) -> None:
    monkeypatch.setenv("SM5VK_VALIDATION", variable)
    assert validation_wanted(argument) == wanted


@pytest.mark.parametrize("wish", [None, "reference"])
@pytest.mark.parametrize("value", ["synch", "true", "2", " 1"])
def test_a_mistyped_value_is_refused(
    monkeypatch: pytest.MonkeyPatch, device: Device, wish: str | None, value: str
) -> None:
    wish = wish or device.info.index
    with pytest.raises(vkrunner.InvalidValueError, match=r'"1".*"sync".*"0"'):
        vkrunner.open_device(wish, validation=value)
    monkeypatch.setenv("SM5VK_VALIDATION", value)
    with pytest.raises(vkrunner.InvalidValueError, match=f"SM5VK_VALIDATION is {value!r}"):
        vkrunner.open_device(wish)


def messages() -> list[str]:
    """The layer's messages so far, which are then cleared."""
    found = vkrunner.validation_messages()
    vkrunner.clear_validation_messages()
    return found


def make_a_mistake(own: Device, driver: Driver) -> None:
    """A fence with a flag that does not exist."""

    def mistaken(function: Callable[..., int], device: Any, info: Any, *rest: Any) -> int:
        info.flags = 64
        driver.restore("vkCreateFence")
        return function(device, info, *rest)

    driver.replace("vkCreateFence", mistaken)
    with own.record() as work:
        work.clear(own.buffer(4), 1)
    work.submit().wait()


def make_a_hazard(own: Device, driver: Driver) -> None:
    """Two copies without a barrier; the second reads what the first writes."""
    first, second = (own.buffer(np.zeros(4, np.uint32)) for _ in range(2))
    work = own.record()
    work.copy(first, second)
    work.copy(second, first)
    driver.replace("vkCmdPipelineBarrier", lambda *_: None)
    work.submit().wait()
    driver.restore()


@pytest.fixture
def layer(device: Device) -> None:
    """Skip without the layer."""
    if validation_layer() is None:
        pytest.skip("the validation layer is not installed")


@pytest.mark.usefixtures("layer")
def test_a_mistake_is_reported_every_time(device: Device, driver: Driver) -> None:
    """Without this the silence of all other tests would mean nothing."""
    with vkrunner.open_device(device.info.index, validation=True) as own:
        for _ in range(40):
            make_a_mistake(own, driver)
    found = messages()
    assert len(found) >= 40
    assert any("VUID-VkFenceCreateInfo-flags-parameter" in message for message in found)


def test_without_the_layer(device: Device, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A missing layer is reported, and the device works."""
    monkeypatch.setenv("VK_LAYER_PATH", str(tmp_path))
    for wish in (True, "1", "sync"):
        with (
            pytest.warns(RuntimeWarning, match=r"not installed.*vulkan-validationlayers"),
            vkrunner.open_device(device.info.index, validation=wish) as own,
        ):
            assert own.buffer(np.arange(4, dtype=np.uint32)).read().tolist() == [0, 1, 2, 3]


def offer(folder: Path, monkeypatch: pytest.MonkeyPatch, *extensions: str) -> None:
    """Make the layer offer only these of the extensions that configure it."""
    folders = [*os.environ.get("VK_LAYER_PATH", "").split(os.pathsep)]
    folders += ["/usr/share/vulkan/explicit_layer.d", "/etc/vulkan/explicit_layer.d"]
    files = [file for path in folders if path for file in Path(path).glob("*.json")]
    texts = [(file, file.read_text("utf-8")) for file in files]
    file, text = next((file, text) for file, text in texts if VALIDATION_LAYER in text)
    manifest = json.loads(text)
    library = manifest["layer"]["library_path"]
    if Path(library).name != library:
        manifest["layer"]["library_path"] = str((file.parent / library).resolve())
    rows = manifest["layer"]["instance_extensions"]
    hidden = {SETTINGS_EXTENSION, FEATURES_EXTENSION} - {*extensions}
    manifest["layer"]["instance_extensions"] = [r for r in rows if r["name"] not in hidden]
    (folder / "layer.json").write_text(json.dumps(manifest), "utf-8")
    monkeypatch.setenv("VK_LAYER_PATH", str(folder))


@pytest.mark.usefixtures("layer")
def test_a_layer_that_takes_features(
    device: Device, driver: Driver, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Layers older than 1.3.280 have no settings."""
    offer(tmp_path, monkeypatch, FEATURES_EXTENSION)
    with vkrunner.open_device(device.info.index, validation="sync") as own:
        make_a_hazard(own, driver)
    assert any("SYNC-HAZARD-READ-AFTER-WRITE" in message for message in messages())


@pytest.mark.usefixtures("layer")
def test_a_layer_that_cannot_be_configured(
    device: Device, driver: Driver, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Unavailable checks are reported, and the others are made."""
    offer(tmp_path, monkeypatch)
    with pytest.warns(RuntimeWarning, match=f"{SETTINGS_EXTENSION} nor {FEATURES_EXTENSION}"):
        own = vkrunner.open_device(device.info.index, validation="sync")
    with own:
        make_a_mistake(own, driver)
        make_a_hazard(own, driver)
    found = messages()
    assert any("VUID-VkFenceCreateInfo-flags-parameter" in message for message in found)
    assert not any("SYNC-HAZARD" in message for message in found)


OPENINGS = """
import os, sys
import vkrunner
from checks.driver import replaced

def instances():
    before = driver.objects["Instance"]
    with vkrunner.open_device(int(sys.argv[1])):
        return before, driver.objects["Instance"]

with replaced() as driver:
    print(*instances(), *instances(), flush=True)
    child = os.fork()
    if child:  # one line after the other
        assert os.waitpid(child, 0)[1] == 0
    print(*instances(), flush=True)
    if child == 0:
        os._exit(0)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no forks")
def test_drivers_stay_loaded_except_in_forks(device: Device) -> None:
    assert output("-c", OPENINGS, device.info.index).splitlines() == ["0 2 1 2", "0 2", "0 2"]
