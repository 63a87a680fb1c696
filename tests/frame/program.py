"""The frame's passes, run by vkrunner."""

from pathlib import Path

import numpy as np

from vkrunner import Device, Kernel

from . import inputs as frame
from .inputs import Array, Inputs

SHADERS = Path(__file__).parents[2] / "shaders/frame"


def run(device: Device, inputs: Inputs, form: str = "dxbc") -> dict[str, Array]:
    """The outputs of all passes, by their names."""
    kernels = {path.stem: device.kernel(path) for path in sorted(SHADERS.glob(f"*.{form}"))}
    return {
        **cull_lights(kernels, inputs),
        **map_tones(device, kernels, inputs),
        **move_particles(device, kernels),
        **sort_pairs(device, kernels, inputs),
        **transform(device, kernels, inputs),
    }


def groups(threads: int, of_a_group: int) -> int:
    return -(-threads // of_a_group)


def cull_lights(kernels: dict[str, Kernel], inputs: Inputs) -> dict[str, Array]:
    rows, columns = groups(frame.HEIGHT, frame.TILE), groups(frame.WIDTH, frame.TILE)
    result = kernels["light_culling"].dispatch(
        (columns, rows, 1),
        depth_buffer=inputs.depth,
        lights=inputs.lights,
        tile_counts=np.zeros((rows, columns), np.uint32),
        tile_lights=np.zeros(rows * columns * frame.MAX_PER_TILE, np.uint32),
        Camera={
            "world_to_view": frame.WORLD_TO_VIEW,
            "tangents": frame.TANGENTS,
            "near": frame.NEAR,
            "far": frame.FAR,
            "light_count": frame.LIGHTS,
        },
    )
    return {"tile_counts": result.tile_counts, "tile_lights": result.tile_lights}


def map_tones(device: Device, kernels: dict[str, Kernel], inputs: Inputs) -> dict[str, Array]:
    scene = device.texture(inputs.scene, format="r16g16b16a16_float")
    histogram = device.buffer(np.zeros(frame.BINS, np.uint32))
    curve = device.texture(np.zeros(frame.BINS, np.float32), format="r32_float", dimension="1d")
    shape = (frame.HEIGHT, frame.WIDTH, 4)
    picture = device.texture(np.zeros(shape, np.uint8), format="r8g8b8a8_unorm")
    with device.record() as work:
        blocks = (groups(frame.WIDTH, 16), groups(frame.HEIGHT, 16), 1)
        work.dispatch(kernels["tone_mapping_count"], blocks, scene=scene, histogram=histogram)
        work.dispatch(
            kernels["tone_mapping_make_curve"],
            1,
            bin_counts=histogram,
            new_curve=curve,
            Tone={"equalisation": frame.EQUALISATION},
        )
        work.dispatch(
            kernels["tone_mapping_apply"],
            (groups(frame.WIDTH, 8), groups(frame.HEIGHT, 8), 1),
            scene=scene,
            curve=curve,
            linear_clamp=device.sampler("linear", "clamp"),
            picture=picture,
        )
    work.submit().wait()
    return {"histogram": histogram.read(), "curve": curve.read(), "picture": picture.read()}


def move_particles(device: Device, kernels: dict[str, Kernel]) -> dict[str, Array]:
    """Emit, size the next dispatch by the counter, update from one buffer into the other."""
    none = np.zeros(frame.CAPACITY, frame.PARTICLE)
    living, spare = device.buffer(none, counter=0), device.buffer(none, counter=0)
    alive = device.buffer(np.zeros(1, np.uint32))
    arguments = device.buffer(np.zeros(3, np.uint32))
    emit, size = kernels["particles_emit"], kernels["particles_size_dispatch"]
    with device.record() as work:
        for step in range(frame.STEPS):
            params = {**frame.STEP, "first_id": step * frame.EMITTED, "emitted": frame.EMITTED}
            work.dispatch(emit, groups(frame.EMITTED, 64), living=living, Step=params)
            work.copy_counter(living, alive)
            work.dispatch(size, 1, alive=alive, arguments=arguments)
            work.set_counter(spare, 0)
            work.dispatch_indirect(
                kernels["particles_update"],
                arguments,
                alive=alive,
                before=living,
                living=spare,
                Step=params,
            )
            living, spare = spare, living
    work.submit().wait()
    count = living.counter
    assert count is not None
    return {
        "particles": np.sort(living.read()[:count], order="id"),
        "alive": np.array([count], np.uint32),
        "arguments": arguments.read(),
    }


def sort_pairs(device: Device, kernels: dict[str, Kernel], inputs: Inputs) -> dict[str, Array]:
    pairs, spare = device.buffer(inputs.pairs), device.buffer(np.zeros_like(inputs.pairs))
    blocks = groups(frame.PAIRS, frame.BLOCK)
    counts = device.buffer(np.zeros(blocks * frame.DIGITS, np.uint32))
    with device.record() as work:
        for shift in range(0, 32, frame.DIGIT_BITS):
            digit = {"count_of_pairs": frame.PAIRS, "shift": shift}
            work.dispatch(
                kernels["radix_sort_count"], blocks, pairs=pairs, counts=counts, Digit=digit
            )
            work.dispatch(kernels["radix_sort_scan"], 1, counts=counts, Digit=digit)
            work.dispatch(
                kernels["radix_sort_scatter"],
                blocks,
                pairs=pairs,
                begins=counts,
                sorted=spare,
                Digit=digit,
            )
            pairs, spare = spare, pairs
    work.submit().wait()
    return {"sorted": pairs.read()}


def transform(device: Device, kernels: dict[str, Kernel], inputs: Inputs) -> dict[str, Array]:
    """Forward and back: the spectrum, and the waves again."""
    kernel, twiddles = kernels["fft"], device.buffer(inputs.twiddles)
    waves = device.texture(inputs.waves)
    spectrum, rows, again = (device.texture(np.zeros_like(inputs.waves)) for _ in range(3))
    with device.record() as work:
        for source, target, backwards, scale in (
            (waves, spectrum, 0, 1.0),
            (spectrum, again, 1, 1 / frame.LENGTH),
        ):
            for along_columns, before, after in ((0, source, rows), (1, rows, target)):
                work.dispatch(
                    kernel,
                    frame.LENGTH,
                    source=before,
                    twiddles=twiddles,
                    target=after,
                    Transform={
                        "along_columns": along_columns,
                        "backwards": backwards,
                        "scale": scale,
                    },
                )
    work.submit().wait()
    return {"spectrum": spectrum.read(), "waves_again": again.read()}
