"""The notebook as a user runs it, at a smaller size, and the committed one with its output."""

import base64
import io
import re
from pathlib import Path
from typing import Any

import nbformat
import numpy as np
import pytest
from PIL import Image

from shaders.examples import block_compression
from shaders.examples.harbour import harbour

from .edges import edges_of

ROOT = Path(__file__).parents[2]
NOTEBOOK = ROOT / "shaders/examples/edges_and_blocks.ipynb"
SIZE = 256
WIDGET = "application/vnd.jupyter.widget-view+json"  # a progress bar, where ipywidgets is installed
MAX_BYTES = 300_000


def cells_of(notebook: Any) -> dict[str, Any]:
    return {cell.id: cell for cell in notebook.cells if cell.cell_type == "code"}


def printed(cell: Any, stream: str = "stdout") -> str:
    return "".join(o.text for o in cell.outputs if o.get("name") == stream)


def number(cell: Any) -> float:
    """The last number that a cell printed."""
    return float(re.findall(r"\d+(?:\.\d+)?", printed(cell))[-1])


def plot_of(cell: Any) -> Image.Image:
    (plot,) = (o.data["image/jpeg"] for o in cell.outputs if o.output_type == "display_data")
    return Image.open(io.BytesIO(base64.b64decode(plot)))


@pytest.fixture
def kept() -> Any:
    return nbformat.read(NOTEBOOK, nbformat.NO_CONVERT)


@pytest.mark.slow(reason="a process of Jupyter's, which computes for seconds and draws")
@pytest.mark.parametrize("device", ["vulkan"], indirect=True)
def test_it_runs(device: Any, kept: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    import nbclient  # here: it takes half a second, in each worker

    monkeypatch.setenv("SM5VK_NOTEBOOK_SIZE", str(SIZE))
    monkeypatch.setenv("SM5VK_DEVICE", device.name)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    folder = {"metadata": {"path": str(NOTEBOOK.parent)}}
    done = nbclient.NotebookClient(kept, timeout=300, resources=folder).execute()
    cells = cells_of(done)
    for name in ("picture", "edges", "blocks", "decoded"):
        outputs = cells[name].outputs
        bars = [o for o in outputs if WIDGET in o.get("data", {})]
        assert bars or "100%" in printed(cells[name], "stderr")
    picture = harbour(SIZE, SIZE, finer=1)
    assert number(cells["edges"]) == pytest.approx(edges_of(picture).max(), abs=2e-4)
    blocks = block_compression.compress(device, picture)
    decoded = block_compression.decode(block_compression.dds_file(blocks, SIZE, SIZE))
    assert number(cells["decoded"]) == round(block_compression.psnr(picture, decoded), 2)
    assert np.asarray(plot_of(cells["plot"])).std() > 20


def test_the_committed_notebook_has_output_of_full_size(kept: Any) -> None:
    nbformat.validate(kept)
    assert NOTEBOOK.stat().st_size < MAX_BYTES
    cells = cells_of(kept)
    counts = [cell.execution_count for cell in cells.values()]
    assert counts == list(range(1, len(counts) + 1))
    assert printed(cells["picture"]) == "(8192, 8192, 4), uint8, 256 MiB\n"
    assert printed(cells["blocks"]) == "256 MiB became 32 MiB\n"
    assert plot_of(cells["plot"]).width > 600
