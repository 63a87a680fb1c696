"""`Kernel.page`: the shader's page, as text and in a notebook."""

import re
import sys
from html import unescape
from pathlib import Path
from typing import Any

import pytest

import translate
import vkrunner
from vkrunner.__main__ import main

SAXPY = Path(__file__).parents[4] / "shaders" / "saxpy.dxbc"
HTML = "_repr_html_"  # IPython's name for it
LOOP = (
    "cs_5_0\ndcl_globalFlags refactoringAllowed\ndcl_uav_raw u0\ndcl_input vThreadID.x\n"
    "dcl_temps 1\ndcl_thread_group 1, 1, 1\nmov r0.x, l(0)\nloop\nuge r0.y, r0.x, vThreadID.x\n"
    "breakc_nz r0.y\niadd r0.x, r0.x, l(1)\nendloop\nstore_raw u0.x, l(64), r0.x\nret\n"
)


def test_a_page_is_text_that_a_notebook_frames(either: Any) -> None:
    page = either.kernel(SAXPY).page()
    assert page.startswith("<!DOCTYPE html>")
    assert "<title>saxpy.dxbc</title>" in page
    assert 'data-pane="listing"' in page
    instead, shown = getattr(page, HTML)().split("<iframe ")
    assert "not shown because this notebook is not trusted" in instead
    frame = re.fullmatch(r'title="[^"]+" style="[^"]*" srcdoc="([^"]*)"></iframe>', shown)
    assert frame is not None
    head, base, rest = unescape(frame[1]).partition('<base href="about:srcdoc">')
    assert base, "links to parts of the page would show the notebook in the frame"
    assert head.endswith("<head>")
    assert head + rest == str(page)
    assert repr(page) == f"<Page {len(page):,} characters of HTML>"


def test_titles(either: Any) -> None:
    kernel = either.kernel(LOOP)
    assert "<title>A &amp; B</title>" in kernel.page("A & B")
    assert "<h1>A &amp; B</h1>" in kernel.page("A & B")
    kernel.close()
    assert "breakc_nz" in kernel.page()


def test_the_page_is_that_of_the_device(device: vkrunner.Device, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    assert main(["explain", str(SAXPY), "--for-device", device.name, "-o", str(page)]) == 0
    assert device.kernel(SAXPY).page() == page.read_text("utf-8")


def test_faults_that_the_device_lacks_or_kernels_avoid(either: Any) -> None:
    """The pages of a kernel and of its report do not name them."""
    explained = translate.explain(translate.load(LOOP))
    assert explained.module.interface.exposed_to
    kernel = either.kernel(LOOP, guards="report")
    result = kernel.dispatch(1, u0=bytes(64))
    assert result.violations.total == 1
    for page in (kernel.page(), result.violations.page()):
        assert "Faults of drivers" not in page
        assert "--workaround" not in page


def test_faults_that_a_kernel_does_not_avoid(either: Any) -> None:
    exposed = translate.to_spirv(translate.load(LOOP)).interface.exposed_to
    met = [name for name in exposed if name in either.faults]
    page = either.kernel(LOOP, workarounds=[]).page()
    assert [name for name in met if f"<code>{name}</code>" not in page] == []
    assert ("Faults of drivers" in page) == bool(met)


def test_kernels_without_a_page(either: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    if either.info.type != "reference":  # it takes no module
        kernel = either.kernel(translate.to_spirv(translate.load(SAXPY)))
        with pytest.raises(vkrunner.ArgumentError, match="SpirvModule has no page"):
            kernel.page()
    monkeypatch.setitem(sys.modules, "pygments", None)
    with pytest.raises(vkrunner.MissingError, match="pygments"):
        either.kernel(SAXPY).page()
