"""The scripts: their output, and the pictures that they draw, one in a process as a user's.

The committed pictures were drawn by the scripts; a new one has to look the same. Fonts and colour
reduction differ a little between versions of the libraries that draw.
"""

import contextlib
import io
import os
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import pytest
from PIL import Image

import vkrunner

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "shaders" / "examples"
# All scripts except the one that draws the picture that the others use
SCRIPTS = sorted({path.stem for path in EXAMPLES.glob("*.py")} - {"harbour"})
MAX_PICTURE_BYTES = 100_000
LONG = pytest.mark.slow(reason="it computes for seconds and draws")
ALONE = "particles"  # the script that runs in a process

# Output of a script that its functions' tests do not check, and arguments for a small run
PRINTED = {
    "block_compression": "786432 bytes became 98304",
    "image_filter": "208 x 208 pixels on",
    "large_picture": "2048 x 2048 pixels on",
    "particles": "11240 particles live after 300 steps on",
    "prefix_sum": f"= {sum(range(1_000_000)) % 2**32} modulo 2**32 on",
    "random_numbers": "4000000 points on",
    "sort": "in order: True",
    "upscale": "sharp    PSNR 27.59 dB, SSIM 0.877",
}
LITTLE = {
    "block_compression": ["--width", "64"],
    "image_filter": ["--sigma", "1"],
    "large_picture": ["--size", "64"],
    "particles": ["--steps", "2"],
    "prefix_sum": ["--count", "300"],
    "random_numbers": ["--points", "5000"],
    "sort": ["--count", "500"],
    "upscale": ["--width", "64"],
}


def run_here(script: str, device: vkrunner.Device, *arguments: str) -> str:
    """A script's output on a device, run in this process, which has loaded its libraries."""
    path = str(EXAMPLES / f"{script}.py")
    with (
        mock.patch.object(sys, "argv", [path, "--device", device.name, *arguments]),
        contextlib.redirect_stdout(io.StringIO()) as printed,
        contextlib.redirect_stderr(io.StringIO()) as complaints,
    ):
        runpy.run_path(path, run_name="__main__")
    assert complaints.getvalue() == ""
    assert f"on {device.name}" in printed.getvalue()
    return printed.getvalue()


def run(script: str, device: vkrunner.Device, *arguments: str) -> str:
    """A script's output on a device; nothing on stderr."""
    command = [sys.executable, str(EXAMPLES / f"{script}.py"), "--device", device.name]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [*command, *arguments], env=environment, capture_output=True, text=True, timeout=300
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert f"on {device.name}" in done.stdout
    return done.stdout


def test_all_are_known() -> None:
    assert set(SCRIPTS) == set(PRINTED) == set(LITTLE)
    assert SCRIPTS
    assert {path.stem for path in (EXAMPLES / "pictures").glob("*.png")} == set(SCRIPTS)


@pytest.mark.parametrize(
    "script", [pytest.param(s, marks=[] if s == ALONE else LONG) for s in SCRIPTS]
)
def test_script(device: vkrunner.Device, tmp_path: Path, script: str) -> None:
    path = tmp_path / "picture.png"
    if isinstance(device, vkrunner.ReferenceDevice):
        run_here(script, device, *LITTLE[script], "--save", str(path))
        assert pixels(path).std() > 1
        return
    start = run if script == ALONE else run_here
    assert PRINTED[script] in start(script, device, "--save", str(path))
    kept = EXAMPLES / "pictures" / f"{script}.png"
    assert kept.stat().st_size < MAX_PICTURE_BYTES
    drawn, expected = pixels(path), pixels(kept)
    assert drawn.shape == expected.shape
    assert abs(drawn - expected).mean() < 4
    assert expected.std() > 20


def pixels(path: Path) -> Any:
    """i16[height, width, 3]"""
    with Image.open(path) as image:
        return np.asarray(image.convert("RGB")).astype(np.int16)


def test_last_row_of_the_sorted_picture_is_in_order() -> None:
    """The green of viridis grows with the key."""
    green = pixels(EXAMPLES / "pictures" / "sort.png")[-1, ::2, 1]
    assert len(green) == 256
    assert (np.diff(green) >= 0).all()
    assert green[-1] - green[0] > 200
