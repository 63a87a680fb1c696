"""The type of the options of `Device.kernel`."""

from __future__ import annotations

from translate.hlsl.options import HlslOptionsDict
from translate.options import OptionsDict


class KernelOptions(OptionsDict, HlslOptionsDict, total=False):
    """The options of `Device.kernel`: the fields of `translate.Options` and `HlslOptions`."""
