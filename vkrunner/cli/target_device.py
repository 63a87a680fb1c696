"""`--for`, `--for-device` and `--for-profile`: translate as for a kernel on that device."""

from __future__ import annotations

import argparse
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import translate
from translate.interface import STORAGE_IMAGE, STORAGE_TEXEL_BUFFER
from vkrunner import FeatureError
from vkrunner.cli.parser import UsageError

if TYPE_CHECKING:
    from vkrunner import Device, DeviceInfo
    from vkrunner.shader.shader import Shader

_BUILT_IN = ("desktop",)  # the keys of `vkrunner.info.device_profile.BUILT_IN`
_VIEWS = (STORAGE_IMAGE, STORAGE_TEXEL_BUFFER)
_WITHOUT_FORMAT = "_without_format"


def add_device_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_mutually_exclusive_group()
    group.add_argument(
        "--for",
        dest="built_in",
        choices=_BUILT_IN,
        help="translate for the common features of many devices; desktop: those of AMD's, Intel's"
        " and NVIDIA's desktop GPUs, which the host has to enable as the interface lists them",
    )
    group.add_argument(
        "--for-device",
        metavar="D",
        help="translate as for a kernel on this device (a part of its name, or its index): its"
        " float controls are used, its faults are worked around, and a module that it cannot run is"
        " refused",
    )
    group.add_argument(
        "--for-profile",
        metavar="FILE[#NAME]",
        help="the same by a Vulkan profile, as vulkaninfo --json writes it",
    )


@contextmanager
def target_device(arguments: argparse.Namespace) -> Generator[Device | DeviceInfo | None]:
    """The device that the modules are for; None without the options."""
    if arguments.built_in is not None:
        from vkrunner.info.device_profile import BUILT_IN

        yield BUILT_IN[arguments.built_in]
    elif arguments.for_profile is not None:
        yield _profile(arguments.for_profile)
    elif arguments.for_device is not None:
        from vkrunner import ReferenceDevice, open_device  # imported only if needed

        with open_device(arguments.for_device) as device:
            if isinstance(device, ReferenceDevice):
                raise UsageError("--for-device takes a Vulkan device: this one runs no SPIR-V")
            yield device
    else:
        yield None


def _profile(text: str) -> DeviceInfo:
    from vkrunner import load_profile

    path, _, name = text.partition("#")
    return load_profile(path, name or None)


def options_of(
    given: Mapping[str, Any], device: Device | DeviceInfo | None, shader: Shader | None = None
) -> translate.Options:
    """The given options, completed by those for the device."""
    if device is None:
        return translate.Options(**given)
    from vkrunner import options_for

    return options_for(device, shader, **given)


def check_runs(device: Device | DeviceInfo | None, interface: translate.ShaderInterface) -> None:
    """Raise FeatureError or LimitError for a module that the device cannot run."""
    if device is None:
        return
    from vkrunner import Device
    from vkrunner.shader.device_options import check_device

    try:
        check_device(device.info if isinstance(device, Device) else device, interface)
    except FeatureError as error:
        if _WITHOUT_FORMAT not in str(error):
            raise
        views = [b.register for b in interface if b.descriptor_type in _VIEWS and b.format is None]
        named = " ".join(f"--format {register}=FORMAT" for register in views)
        raise FeatureError(f"{error}; {named} says what will be bound") from None
