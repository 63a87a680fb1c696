"""Options for modules that are to run in an engine of the caller's own, on a certain device."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Unpack

from vkrunner.api.device import Device
from vkrunner.shader.device_options import module_for, options_for_any
from vkrunner.shader.shader import Shader

if TYPE_CHECKING:
    from translate import Options, OptionsDict
    from vkrunner.info.device_info import DeviceInfo
    from vkrunner.shader.shader import Source


def options_for(
    device: Device | DeviceInfo, source: Source | None = None, **options: Unpack[OptionsDict]
) -> Options:
    """The options that a kernel of this shader would be translated with on a device.

    Parameters
    ----------
    device : Device or DeviceInfo
        An open device, or one of `devices()` or `load_profile`. Only an open one is tried for known
        faults, so that options for others rely on robust accesses only if `robust_access` names
        them.
    source : str, bytes, path or Program, optional
        The shader, as of `Device.kernel`; without it they are options for any shader.
    **options
        Fields of `translate.Options`, in place of those that the device suggests.

    Returns
    -------
    Options
        The options, for `translate.to_spirv`.

    Raises
    ------
    ArgumentError
        An option is unknown.
    TranslateError
        The shader is not translated, or an option has an invalid value.
    OSError
        The path cannot be read.
    """
    info = device.info if isinstance(device, Device) else device

    def faults() -> Sequence[str]:
        return device.faults if isinstance(device, Device) else device.known_faults

    if not isinstance(device, Device):
        options = {"robust_access": frozenset(), **options}
    if source is None:
        return options_for_any(options, info, faults)
    shader = source if isinstance(source, Shader) else Shader(source)
    return module_for(shader, options, info, faults)[0]
