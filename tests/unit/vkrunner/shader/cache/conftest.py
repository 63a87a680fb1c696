"""A cache in a new folder for each test."""

from pathlib import Path

import pytest

from vkrunner.shader import shader
from vkrunner.shader.cache.store import Store


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The cache is on, in this folder; nothing is in memory."""
    chosen = tmp_path / "cache"
    monkeypatch.setenv("SM5VK_CACHE", "1")
    monkeypatch.setenv("SM5VK_CACHE_DIR", str(chosen))
    monkeypatch.delenv("SM5VK_CACHE_SIZE", raising=False)
    shader.forget()
    return chosen


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "store", 1 << 20)
