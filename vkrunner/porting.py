"""Options for modules that are to run in an engine of the caller's own, on a certain device."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Unpack

from vkrunner.device import Device
from vkrunner.device_options import module_for, options_for_any
from vkrunner.shader import Shader

if TYPE_CHECKING:
    from translate import Options, OptionsDict
    from vkrunner.device_info import DeviceInfo
    from vkrunner.shader import Source


def options_for(
    device: Device | DeviceInfo, source: Source | None = None, **options: Unpack[OptionsDict]
) -> Options:
    """The options that a kernel of this shader would be translated with on a device.

    `device` is an open one, or a DeviceInfo, of `devices()` or `load_profile`; only the open one is
    tried for known faults. Without `source` they are options for any shader. `options` are those
    of `translate.Options`, and go before what the device has. Raises ArgumentError for an unknown
    one, TranslateError for a shader that is not translated or a value that is none, OSError for a
    path that cannot be read.
    """
    info = device.info if isinstance(device, Device) else device

    def faults() -> Sequence[str]:
        return device.faults if isinstance(device, Device) else device.known_faults

    if source is None:
        return options_for_any(options, info, faults)
    shader = source if isinstance(source, Shader) else Shader(source)
    return module_for(shader, options, info, faults)[0]
