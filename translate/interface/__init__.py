"""A translated shader's bindings and needs: plain data for the code that dispatches it."""

from translate.interface.binding import Binding, dtype_text
from translate.interface.constant import Constant
from translate.interface.formats import buffer_format, component_of, vulkan_format
from translate.interface.kinds import (
    CONSTANT_BUFFER,
    COUNTER,
    RAW_BUFFER,
    SAMPLER,
    SIZES,
    STRUCTURED_BUFFER,
    TEXTURE,
    TYPED_BUFFER,
    WINDOWS,
)
from translate.interface.message_text import format_message
from translate.interface.shader import MessageSite, ReportSite, ShaderInterface

__all__ = [
    "CONSTANT_BUFFER",
    "COUNTER",
    "RAW_BUFFER",
    "SAMPLER",
    "SIZES",
    "STRUCTURED_BUFFER",
    "TEXTURE",
    "TYPED_BUFFER",
    "WINDOWS",
    "Binding",
    "Constant",
    "MessageSite",
    "ReportSite",
    "ShaderInterface",
    "buffer_format",
    "component_of",
    "dtype_text",
    "format_message",
    "vulkan_format",
]
