"""Sizes of indexed typed UAVs are not tried on a driver that is known to crash."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

import vkrunner
from vkrunner.info.device_profile import BUILT_IN
from vkrunner.probes.control_flow import takes_another_resource


class NotingTrial:
    """Notes the listings of probes, which show no fault."""

    def __init__(self, info: vkrunner.DeviceInfo):
        self.backend = SimpleNamespace(context=SimpleNamespace(info=info))
        self.listings: list[str] = []

    def run(self, listing: str, **resources: Any) -> dict[str, list[int]]:
        self.listings.append(listing)
        return {"u9": [2]}


@pytest.mark.parametrize("fault", [None, "uav_range_size"])
def test_sizes_that_crash_the_driver_are_not_tried(fault: str | None) -> None:
    info = replace(BUILT_IN["desktop"], known_faults=(fault,) if fault else ())
    trial: Any = NotingTrial(info)
    assert not takes_another_resource(trial)
    assert len(trial.listings) == (6 if fault is None else 4)
    assert any("dcl_uav_typed" in listing for listing in trial.listings) == (fault is None)
