"""Faults in the runner: barriers, ranges, samplers, formats, reports, constants."""

from __future__ import annotations

from ..fault import Fault

UNIT = "tests/unit/vkrunner"
BARRIERS = "tests/running/test_barriers.py"
CLOSING = "tests/running/test_closing.py"
SAMPLING = "tests/textures/test_sampling.py"

FAULTS = (
    Fault(
        "vkrunner/vulkan/barriers.py",
        "two steps that write the same bytes need no barrier",
        "if not (self.writes or other.writes):",
        "if not (self.writes and not other.writes):",
        BARRIERS,
    ),
    Fault(
        "vkrunner/vulkan/barriers.py",
        "ranges that share their last byte do not meet",
        "ours[0] < theirs[1] and theirs[0] < ours[1]",
        "ours[0] < theirs[1] - 1 and theirs[0] < ours[1]",
        BARRIERS,
    ),
    Fault(
        "vkrunner/command_list.py",
        "the barrier between two dispatches is lost",
        "                record_barrier(commands, after, BEFORE_ALL)\n",
        "                pass\n",
        BARRIERS,
    ),
    Fault(
        "vkrunner/dispatch.py",
        "one group less than D3D allows",
        "if count > D3D_MAX_GROUPS:",
        "if count >= D3D_MAX_GROUPS:",
        f"{UNIT}/test_dispatch.py {UNIT}/test_limits.py",
    ),
    Fault(
        "vkrunner/resources/buffers.py",
        "a view may not reach its buffer's end",
        "if self.first_element + count > total:",
        "if self.first_element + count >= total:",
        f"{UNIT}/resources/test_buffers.py",
    ),
    Fault(
        "vkrunner/descriptors.py",
        "a view in the middle of a buffer begins at the aligned byte before",
        "return offset - before, before + size, (before // unit, size // unit)",
        "return offset - before, before + size, (0, size // unit)",
        "tests/bounds/test_views.py",
    ),
    Fault(
        "vkrunner/resources/samplers.py",
        "a sampler's address in v is that in u",
        "addressModeV=v",
        "addressModeV=u",
        SAMPLING,
    ),
    Fault(
        "vkrunner/resources/samplers.py",
        "the filters for magnification and minification exchanged",
        'magFilter=vk.constant(f"VK_FILTER_{magnify}")',
        'magFilter=vk.constant(f"VK_FILTER_{minify}")',
        SAMPLING,
    ),
    Fault(
        "vkrunner/resources/samplers.py",
        "mirror_once clamps",
        '"mirror_once": "MIRROR_CLAMP_TO_EDGE"',
        '"mirror_once": "CLAMP_TO_EDGE"',
        SAMPLING,
    ),
    Fault(
        "vkrunner/values/dimensions.py",
        "the smallest mips have no extent",
        "max(1, self.height >> mip)",
        "max(0, self.height >> mip)",
        f"{UNIT}/values/test_dimensions.py {UNIT}/resources/test_textures.py",
    ),
    Fault(
        "vkrunner/resources/images.py",
        "a part of a texture is copied from its first layer",
        "layers.baseArrayLayer, layers.layerCount = self.part.first_layer, self.part.num_layers",
        "layers.baseArrayLayer, layers.layerCount = 0, self.part.num_layers",
        f"{UNIT}/resources/test_textures.py tests/textures/test_loads.py",
    ),
    Fault(
        "vkrunner/report.py",
        "a report's thread and group exchanged",
        "thread=(places[3], places[4], places[5])",
        "thread=(places[0], places[1], places[2])",
        "tests/report",
    ),
    Fault(
        "vkrunner/report.py",
        "whether D3D defines it is told of the wrong cause",
        "defined=site.defined[cause]",
        "defined=site.defined[0]",
        f"{UNIT}/test_report.py",
    ),
    Fault(
        "vkrunner/values/constant_numbers.py",
        "numbers too large for a constant buffer pass",
        "return (given < bounds.min) | (given > bounds.max)",
        "return given < bounds.min",
        f"{UNIT}/values/test_constants.py tests/constants",
    ),
    Fault(
        "vkrunner/values/constants.py",
        "a constant buffer may lack a name",
        "            missing.append(name)\n",
        "            pass\n",
        f"{UNIT}/values/test_constants.py tests/constants",
    ),
    Fault(
        "vkrunner/values/formats.py",
        "a depth comparison of 16 bits takes the format of 32",
        '"r16_unorm": "d16_unorm"',
        '"r16_unorm": "d32_float"',
        f"{UNIT}/values/test_formats.py",
    ),
    Fault(
        "vkrunner/vulkan/deferral.py",
        "what is closed is destroyed under the calls of other threads",
        "left = row.shared and row.serial < called",
        "left = row.shared",
        CLOSING,
    ),
    Fault(
        "vkrunner/vulkan/deferral.py",
        "what a call submitted behind a closing is not waited for",
        "return _Closed(self.serial, row.stack, shared=False) if left else row",
        "return _Closed(row.serial, row.stack, shared=False) if left else row",
        CLOSING,
    ),
    Fault(
        "vkrunner/vulkan/deferral.py",
        "a call that begins behind a closing is waited for",
        "            self.serial += 1\n            self.sweep()\n",
        "            self.sweep()\n",
        CLOSING,
    ),
    Fault(
        "vkrunner/vulkan/deferral.py",
        "a device is destroyed under the calls of other threads",
        "            if self._calls:\n                return\n",
        "",
        CLOSING,
    ),
    Fault(
        "vkrunner/vulkan/deferral.py",
        "the last call does not destroy the device that was closed",
        "        if self._last is not None:\n            self._end_all()\n",
        "",
        CLOSING,
    ),
    Fault(
        "vkrunner/vulkan/submissions.py",
        "work is submitted to a closed device",
        "if self._given_up or self._lost or self._closed:",
        "if self._given_up or self._lost:",
        CLOSING,
    ),
    Fault(
        "vkrunner/vulkan/logical.py",
        "results of calls that were in progress are lost with the device",
        "        self._settle()  # what came from calls that were in progress\n",
        "",
        CLOSING,
    ),
    Fault(
        "vkrunner/resources/buffers.py",
        "a buffer that was closed meanwhile is mapped",
        "            _ = self.storage  # it may have been closed when there was no lease yet\n",
        "",
        CLOSING,
    ),
    Fault(
        "vkrunner/vulkan/submissions.py",
        "a fence is reset while another thread waits for it",
        "while work in self._pinned:",
        "while False:",
        "tests/running/test_async.py",
    ),
)
