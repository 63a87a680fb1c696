"""The words of fxc's header for kinds of resources and buffers, by D3D's numbers.

Source: listings of fxc 10.1, for reflections made to show every value; d3dcommon.h.
"""

from __future__ import annotations

from collections.abc import Mapping

# D3D_CBUFFER_TYPE
BUFFER_KINDS = {0: "cbuffer", 1: "tbuffer", 2: "interfaces", 3: "Resource bind info for"}
# From D3D_SHADER_INPUT_TYPE to the columns type, format and dimension
UNFORMATTED: Mapping[int, tuple[str, str, str]] = {
    0: ("cbuffer", "NA", "NA"),
    1: ("tbuffer", "NA", "NA"),
    3: ("sampler", "NA", "NA"),
    5: ("texture", "struct", "r/o"),
    6: ("UAV", "struct", "r/w"),
    7: ("texture", "byte", "r/o"),
    8: ("UAV", "byte", "r/w"),
    9: ("UAV", "struct", "append"),
    10: ("UAV", "struct", "consume"),
    11: ("UAV", "struct", "r/w+cnt"),
}
TYPED = {2: "texture", 4: "UAV"}  # typed resources: the type column alone
SAMPLER = 3
COMPARISON_SAMPLER = "sampler_c"
STRUCTURED = "struct"
# D3D_RESOURCE_RETURN_TYPE and D3D_SRV_DIMENSION
RETURN_TYPES = {1: "unorm", 2: "snorm", 3: "sint", 4: "uint", 5: "float", 6: "mixed", 7: "double"}
MIXED = 6
DIMENSIONS = {
    1: "buf", 2: "1d", 3: "1darray", 4: "2d", 5: "2darray", 6: "2dMS", 7: "2darrayMS", 8: "3d",
    9: "cube", 10: "cubearray",
}  # fmt: skip
MULTISAMPLED = (6, 7)
COMPARISON = 2  # flag of a sampler
UNUSED = 16  # flag of a binding
COMPONENTS_SHIFT = 2  # flags: two bits, components - 1
NO_SAMPLES = 0xFFFFFFFF
UNBOUNDED = "unbounded"
NO_CREATOR = "Microsoft (R) D3D Shader Disassembler"  # printed if the container lacks RDEF
# By bit of SFI0
FEATURES = (
    "Double-precision floating point",
    "Early depth-stencil",
    "UAVs at every shader stage",
    "64 UAV slots",
    "Minimum-precision data types",
    "Double-precision extensions for 11.1",
    "Shader extensions for 11.1",
    "Comparison filtering for feature level 9",
    "Tiled resources",
    "PS Output Stencil Ref",
    "PS Inner Coverage",
    "Typed UAV Load Additional Formats",
    "Raster Ordered UAVs",
    "SV_RenderTargetArrayIndex or SV_ViewportArrayIndex from any shader feeding rasterizer",
)
