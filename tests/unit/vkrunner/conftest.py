"""Tests with the fixture `either` run on both devices."""

from tests.both_devices import device as either

__all__ = ["either"]
