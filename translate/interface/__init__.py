"""The bindings and requirements of a translated shader, as plain data for its host."""

from translate.interface.binding import Binding, dtype_text
from translate.interface.constant import Constant
from translate.interface.descriptor_types import (
    SAMPLED_IMAGE,
    STORAGE_BUFFER,
    STORAGE_IMAGE,
    STORAGE_TEXEL_BUFFER,
    UNIFORM_BUFFER,
    UNIFORM_TEXEL_BUFFER,
)
from translate.interface.dtypes import ArrayType, StructureType
from translate.interface.formats import (
    buffer_format,
    component_of,
    format_hint,
    has_uavs,
    reread_format,
    vulkan_format,
)
from translate.interface.kinds import (
    CONSTANT_BUFFER,
    COUNTER,
    MESSAGES,
    RAW_BUFFER,
    REPORT,
    SAMPLER,
    STRUCTURED_BUFFER,
    TABLES,
    TEXTURE,
    TYPED_BUFFER,
    register_name,
)
from translate.interface.message_text import format_message
from translate.interface.shader import (
    MessageSite,
    ReportSite,
    ShaderInterface,
    Table,
    brief_of,
    interface_table,
)
from translate.interface.shown import html_table, line_of, some_of
from translate.interface.static_sampler import StaticSampler

__all__ = [
    "CONSTANT_BUFFER",
    "COUNTER",
    "MESSAGES",
    "RAW_BUFFER",
    "REPORT",
    "SAMPLED_IMAGE",
    "SAMPLER",
    "STORAGE_BUFFER",
    "STORAGE_IMAGE",
    "STORAGE_TEXEL_BUFFER",
    "STRUCTURED_BUFFER",
    "TABLES",
    "TEXTURE",
    "TYPED_BUFFER",
    "UNIFORM_BUFFER",
    "UNIFORM_TEXEL_BUFFER",
    "ArrayType",
    "Binding",
    "Constant",
    "MessageSite",
    "ReportSite",
    "ShaderInterface",
    "StaticSampler",
    "StructureType",
    "Table",
    "brief_of",
    "buffer_format",
    "component_of",
    "dtype_text",
    "format_hint",
    "format_message",
    "has_uavs",
    "html_table",
    "interface_table",
    "line_of",
    "register_name",
    "reread_format",
    "some_of",
    "vulkan_format",
]
