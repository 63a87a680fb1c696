"""Options to translate shaders for a given device, where the caller's own engine runs them."""

# pyright: reportPrivateUsage=false

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

from vkrunner.api.device import Device
from vkrunner.errors import UnknownNameError
from vkrunner.info.device_info import Tried
from vkrunner.info.device_profile import BUILT_IN
from vkrunner.info.faults import TOPICS
from vkrunner.shader.device_options import module_for, options_for_any
from vkrunner.shader.shader import Shader

if TYPE_CHECKING:
    from translate import Options, OptionsDict
    from vkrunner.info.device_info import DeviceInfo
    from vkrunner.info.device_profile import BuiltIn
    from vkrunner.shader.shader import Source


def options_for(
    device: Device | DeviceInfo | BuiltIn,
    source: Source | None = None,
    **options: Unpack[OptionsDict],
) -> Options:
    """The options with which a kernel of this shader would be translated on a device.

    Parameters
    ----------
    device : Device, DeviceInfo or "desktop"
        An open device, a DeviceInfo from `devices()` or `load_profile`, or the name of a built-in
        profile: "desktop" has the common features of desktop GPUs (docs/porting.md). Only an open
        device can be probed, so for a DeviceInfo no robust access feature is used unless you pass
        `robust_access`, operands of samples are tested unless you pass `exact_samples`, and all
        float modes are declared unless you pass `float_controls`. A
        built-in profile uses the robust accesses that its drivers are known to keep.
    source : str, bytes, path or Program, optional
        The shader, as for `Device.kernel`; without it the options are for any shader.
    **options
        Fields of `translate.Options` that replace the device's.

    Returns
    -------
    Options
        The options, for `translate.to_spirv`.

    Raises
    ------
    ArgumentError
        An option, or the name of a built-in profile, is unknown.
    TranslateError
        The shader cannot be translated, or an option has an invalid value.
    OSError
        The path cannot be read.
    """
    info = _info(device)
    tried = Tried(lambda topics=TOPICS, /: info.known_faults)
    if isinstance(device, Device):
        tried = device._tried
    elif info not in BUILT_IN.values():
        options = {"robust_access": frozenset(), **options}
    if source is None:
        return options_for_any(options, info, tried)
    shader = source if isinstance(source, Shader) else Shader(source)
    return module_for(shader, options, info, tried)[0]


def _info(device: Device | DeviceInfo | str) -> DeviceInfo:
    if isinstance(device, Device):
        return device.info
    if not isinstance(device, str):
        return device
    for name, info in BUILT_IN.items():
        if name == device:
            return info
    raise UnknownNameError(f"no built-in profile {device!r}; there is {', '.join(BUILT_IN)}")
