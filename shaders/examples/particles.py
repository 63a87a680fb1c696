"""Move thousands of particles in a field of velocities, and draw their traces.

    python shaders/examples/particles.py [--device D] [--steps N] [--save traces.png]

Particles are in two buffers with hidden counters: each step consumes them from one buffer and
appends the survivors to the other, then it appends new particles, and the buffers swap roles. The
device counts the particles and computes the thread groups of the next step, without the host. So a
step can be recorded, once for each direction, and submitted repeatedly.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np

import sm5vk

Array = np.ndarray[Any, Any]

SHADERS = Path(__file__).parents[1]
WIDTH, HEIGHT = 480, 272
BORN_PER_STEP = 192
LIFETIME = 60
GROUP = 64
# The whirls: x and y in pixels, and the strength, negative for the other direction
WHIRLS = ((103, 94, 230.0), (248, 182, -290.0), (381, 89, 250.0), (51, 221, -140.0))


def whirls(width: int, height: int) -> Array:
    """Velocities in pixels per step at every eighth pixel, f32[rows, columns, 2]."""
    y, x = np.mgrid[0 : height + 8 : 8, 0 : width + 8 : 8].astype(np.float32)
    field = np.stack([np.full_like(x, 0.35), np.zeros_like(y)], axis=-1)
    for centre_x, centre_y, strength in WHIRLS:
        dx, dy = x - centre_x, y - centre_y
        pull = strength / (dx * dx + dy * dy + 30**2)
        field += np.stack([-dy * pull, dx * pull], axis=-1) / 6
    return field.astype(np.float32)


class Particles:
    """Particles on a device, in a picture of `size` (width, height), moved by a field.

    Each step adds `births` particles at random places and moves all particles; it removes those
    that are older than `lifetime` steps or leave the picture.
    """

    def __init__(
        self,
        device: sm5vk.Device,
        field: Array,
        size: tuple[int, int],
        *,
        births: int,
        lifetime: int,
    ):
        self._emit = device.kernel(SHADERS / "particles_emit.dxbc")
        self._move = device.kernel(SHADERS / "particles_step.dxbc")
        nothing = np.zeros(births * (lifetime + 1) + 1, self._emit.interface["particles"].dtype)
        self.living = device.buffer(nothing, counter=0)
        self._next = device.buffer(nothing, counter=0)
        self._population = device.buffer(np.zeros(2, np.uint32))
        self._step_groups = device.buffer(np.zeros(3, np.uint32))
        self._field = device.texture(field)
        self._traces = device.texture(np.zeros(size[::-1], np.uint32))
        self._params = {"first_id": 0, "count": births, "size": size}
        self._lifetime = lifetime
        there = self._recorded(device, self.living, self._next)
        back = self._recorded(device, self._next, self.living)
        self._work, self._next_work = there, back

    def _recorded(
        self, device: sm5vk.Device, before: sm5vk.Buffer, after: sm5vk.Buffer
    ) -> tuple[sm5vk.Recording, Any]:
        """A recorded step from one buffer to the other, and its dispatch that adds particles."""
        with device.record() as work:
            emission = work.dispatch(
                self._emit,
                max(1, -(-self._params["count"] // GROUP)),
                particles=before,
                population=self._population,
                step_groups=self._step_groups,
                Params=self._params,
            )
            work.dispatch_indirect(
                self._move,
                self._step_groups,
                field=self._field,
                before=before,
                after=after,
                traces=self._traces,
                population=self._population,
                Params={"texels_per_pixel": [1 / 8, 1 / 8], "lifetime": self._lifetime},
            )
        return work, emission

    def step(self) -> None:
        """Submit a step to the device, without waiting for its end."""
        work, emission = self._work
        work.submit({emission: {"Params": self._params}})
        self._params["first_id"] += self._params["count"]
        self._work, self._next_work = self._next_work, self._work
        self.living, self._next = self._next, self.living

    def read(self) -> Array:
        """The living particles, in the order in which threads appended them."""
        return self.living.read()[: self.living.counter]

    def traces(self) -> Array:
        """The number of steps that ended in each pixel, u32[height, width]."""
        return self._traces.read()


def simulate(device: sm5vk.Device, steps: int) -> Particles:
    """The particles after a number of steps."""
    size = (WIDTH, HEIGHT)
    particles = Particles(device, whirls(*size), size, births=BORN_PER_STEP, lifetime=LIFETIME)
    for _ in range(steps):
        particles.step()
    return particles


def save_picture(path: Path, traces: Array) -> None:
    """Draw the traces: a pixel with more steps is brighter."""
    from PIL import Image  # pip install pillow

    light = np.sqrt(traces / max(np.percentile(traces, 99.5), 1)).clip(0, 1)
    shades = Image.fromarray(np.round(light * 15).astype(np.uint8), "P")
    share = np.linspace(0, 1, 16)[:, None]
    dark, middle, bright = np.array([[8, 12, 32], [40, 130, 170], [255, 240, 200]])
    colours = np.where(
        share < 0.5,
        dark + (middle - dark) * 2 * share,
        middle + (bright - middle) * (2 * share - 1),
    )
    shades.putpalette(np.round(colours).astype(np.uint8).tobytes())
    shades.save(path, optimize=True)


def main() -> None:
    parser = argparse.ArgumentParser(description="moves particles with append and consume buffers")
    parser.add_argument("--device", help="a part of its name, its index, or reference")
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--save", type=Path, metavar="PICTURE", help="draw the traces in this file")
    options = parser.parse_args()
    with sm5vk.open_device(options.device) as device:
        particles = simulate(device, options.steps)
        living, traces = particles.living.counter, particles.traces()
        print(f"{living} particles live after {options.steps} steps on {device.name}")
        print(f"{traces.sum()} steps were drawn")
    if options.save:
        save_picture(options.save, traces)


if __name__ == "__main__":
    main()
